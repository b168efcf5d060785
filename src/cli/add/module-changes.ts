import { readFile } from 'node:fs/promises'
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path'
import { loadEsbuild } from '../../build/wrangler-packages.ts'
import { type Project, toRelative } from '../../build/project.ts'
import { type Insertion, type ModuleText, findRoutes } from './module-forms.ts'
import { type Plan, editLines, nothing, toAdvice, toPlan } from './plan.ts'
import { findEndOfImports, toBlanked } from './source-text.ts'

const classes = ['Handles', 'Hub', 'Bridge', 'Listings'] as const

interface MainModule {
  /** The path from the folder of the configuration, as the configuration has it. */
  readonly main: string
  /** The name of the server, unless the module has one. */
  readonly name: string
}

/** Plans what the main module lacks: the server, its exports, and the way to it. */
export async function planMainModule(project: Project, { main, name }: MainModule): Promise<Plan> {
  const path = resolve(dirname(project.config), main)
  const file = toRelative(project.root, path)
  const before = await readFile(path, 'utf8').catch(() => null)
  if (before === null) {
    return toAdvice(
      `${file} was not found, though \`main\` names it. Create it with:`,
      toWholeModule(project, path, name),
    )
  }
  // what a server that is there lacks, `helve check` says
  if (/\bcreateWorker\s*\(/.test(toBlanked(before))) return nothing
  const after = editLines(before, (text) => addServer(text, { project, path, name }))
  if (after !== before && (await isOnlyMore(project.root, path, before, after))) {
    return toPlan({ file, before, after })
  }
  return toAdvice(
    `${file} is not one of the forms that are understood (a Hono or itty-router app, or an object with \`fetch\`), ` +
      `so it was left alone. Add this to it, and pass on requests for /mcp and for ` +
      '/.well-known/oauth-protected-resource to `worker.fetch(request, env, ctx)`:',
    toParts(project, path, name, 'worker').join('\n\n'),
  )
}

interface ServerOptions {
  readonly project: Project
  readonly path: string
  readonly name: string
}

/** Returns the text as it was if its form is not understood, or if a name is taken. */
function addServer(source: string, options: ServerOptions): string {
  const blanked = toBlanked(source)
  const module = toModuleText(source, blanked, options.path)
  const toRoutes = findRoutes(module)
  const worker = isUsed(blanked, 'worker') ? 'mcpWorker' : 'worker'
  const names = [...classes, 'createWorker', 'registry', 'isForMcp', worker]
  if (toRoutes === null || names.some((each) => isUsed(blanked, each))) return source
  return insert(source, [...toDeclarations(module, { ...options, worker }), ...toRoutes(worker)])
}

function toModuleText(source: string, blanked: string, path: string): ModuleText {
  const [, indent = '  '] = blanked.match(/\{[ \t]*\n([ \t]+)\S/) ?? []
  const statements = blanked.match(/^(?:import|export|const)\b[^\n]*[\w)}]\s*;?$/gm) ?? []
  const semicolon = statements.some((line) => line.endsWith(';')) || /;$/m.test(blanked) ? ';' : ''
  return { source, blanked, isTypeScript: /^\.[mc]?tsx?$/.test(extname(path)), indent, semicolon }
}

function isUsed(blanked: string, name: string): boolean {
  return new RegExp(String.raw`(?<![.\w$])${name}\b`).test(blanked)
}

function toDeclarations(
  module: ModuleText,
  { project, path, name, worker }: ServerOptions & { readonly worker: string },
): Insertion[] {
  const { source, blanked, semicolon } = module
  const [imports = '', ...declarations] = toParts(project, path, name, worker)
  const quote = source.includes("'") || !source.includes('"') ? "'" : '"'
  const style = (text: string): string =>
    text
      .split('\n')
      .map((line) => (line.startsWith('//') ? line : `${line}${semicolon}`.replaceAll("'", quote)))
      .join('\n')
  const at = findEndOfImports(source, blanked)
  const hasImports = /^import\b/m.test(blanked.slice(0, at))
  const before = at === 0 || hasImports ? '' : '\n'
  const isEnd = /^\s*\n/.test(source.slice(at)) || at === source.length
  const text = `${style(imports)}\n\n${declarations.map(style).join('\n\n')}\n${isEnd ? '' : '\n'}`
  return [{ at, text: `${before}${text}` }]
}

/** The imports, the server and its exports. */
function toParts(project: Project, path: string, name: string, worker: string): readonly string[] {
  const registry = relative(dirname(path), join(project.out, 'registry.ts')).replaceAll(sep, '/')
  const specifier = registry.startsWith('.') ? registry : `./${registry}`
  // not `./.helve`: the name of the folder begins with a dot too
  const fixed = registry.startsWith('.helve') ? `./${registry}` : specifier
  return [
    `import { createWorker } from 'helve'\nimport { registry } from '${fixed}'`,
    `const ${worker} = createWorker({ name: '${name}', version: '0.1.0', registry, limit: 'CALLS' })`,
    '// Cloudflare finds Durable Objects, and the entrypoint with the cache, by these names\n' +
      `export const { ${classes.join(', ')} } = ${worker}`,
  ]
}

function toWholeModule(project: Project, path: string, name: string): string {
  return [...toParts(project, path, name, 'worker'), 'export default worker'].join('\n\n')
}

function insert(text: string, insertions: readonly Insertion[]): string {
  return insertions
    .toSorted((a, b) => b.at - a.at)
    .reduce((all, { at, text }) => `${all.slice(0, at)}${text}${all.slice(at)}`, text)
}

/**
 * Whether the compiler reads the edited module as what was there with more between, and finds the exports. Then no
 * text and no comment was taken for code.
 */
async function isOnlyMore(
  root: string,
  path: string,
  before: string,
  after: string,
): Promise<boolean> {
  try {
    const [old, edited] = await Promise.all([print(root, path, before), print(root, path, after)])
    const added = `export const { ${classes.join(', ')} } = `
    if (!edited.some((line) => line.startsWith(added))) return false
    let index = 0
    return old.every((line) => {
      const found = edited.findIndex((other, at) => at >= index && isSame(line, other))
      index = found + 1
      return found !== -1
    })
  } catch {
    return false
  }
}

/** The line of `fetch` may have more parameters. */
function isSame(line: string, other: string): boolean {
  if (line === other) return true
  const [, head] = line.match(/^(\s*(?:async )?fetch(?:: (?:async )?)?\(.*)\)(?: =>)? \{$/) ?? []
  return head !== undefined && other.startsWith(head)
}

async function print(root: string, path: string, text: string): Promise<readonly string[]> {
  const { code } = await loadEsbuild(root).transform(text, {
    loader: extname(path).endsWith('x') ? 'tsx' : 'ts',
    sourcefile: basename(path),
    logLevel: 'silent',
    jsx: 'preserve',
    // unused imports stay in both
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  })
  return code.split('\n')
}
