import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'

/** A page of the documentation: where it is, from the root of the repository, and its Markdown. */
export interface Page {
  readonly path: string
  readonly text: string
}

/** A whole module on a page. */
export interface DocModule {
  readonly page: string
  /** The name that its first line gives it, such as `tools/basket.ts`, or one made of its line. */
  readonly file: string
  /** Its code, below as many empty lines as stand above it on the page. */
  readonly text: string
}

const root = join(import.meta.dirname, '../..')
const tsc = join(root, 'node_modules/typescript/bin/tsc')

/** What the build writes, to the compiler: with the types of the tools on the page. */
function toRegistry(page: string, modules: readonly DocModule[]): string {
  const tools = modules.flatMap((module) => {
    const name = /^tools\/(\w+)\.ts$/.exec(module.file)?.[1]
    if (module.page !== page || name === undefined) return []
    return [`    readonly ${name}: typeof import('../${module.file}').default`]
  })
  return `import type { Prompt, Registry, Resource } from 'helve'

export interface Definitions {
  readonly tools: {
${tools.join('\n')}
  }
  readonly resources: Readonly<Record<string, Resource>>
  readonly prompts: Readonly<Record<string, Prompt>>
}
export declare const registry: Registry<Definitions>
`
}

/**
 * The blocks of a page that are whole modules: those marked `ts` that begin with an import, or with
 * a comment that names their file. All others are parts of something that the page talks about.
 */
export function readModules({ path, text }: Page): readonly DocModule[] {
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].flatMap(({ 1: code = '', index }) => {
    const [, name] = /^\/\/ (\S+\.ts)\n/.exec(code) ?? []
    if (name === undefined && !code.startsWith('import ')) return []
    // the fence itself stands on the line before
    const line = text.slice(0, index).split('\n').length + 1
    return [{ page: path, file: name ?? `line-${line}.ts`, text: '\n'.repeat(line - 1) + code }]
  })
}

/**
 * Checks the types of modules against the package as it stands, and gives what the compiler says of
 * them: each with the page and the line. The modules of one page can import one another.
 */
export async function findTypeErrors(modules: readonly DocModule[]): Promise<readonly string[]> {
  const folder = join(root, 'node_modules/.cache/doc-modules', crypto.randomUUID())
  try {
    const files = [
      ...modules.map((module) => [toPath(module), module.text] as const),
      ...modules.map(
        ({ page }) => [join(page, '.helve/registry.ts'), toRegistry(page, modules)] as const,
      ),
      ['tsconfig.json', JSON.stringify(toConfig(folder))] as const,
    ]
    await Promise.all(files.map(([file, text]) => write(join(folder, file), text)))
    const printed = await promisify(execFile)(
      process.execPath,
      [tsc, '--project', folder, '--pretty', 'false'],
      { cwd: folder },
    ).then(
      () => '',
      (error: Error & { stdout?: string }) => error.stdout || error.message,
    )
    const lines = printed.split('\n').filter((line) => line !== '')
    return lines.map((line) => toPageLine(line, modules))
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Where a module is written: its page is a folder, where it stands beside the page's others. */
function toPath({ page, file }: DocModule): string {
  return join(page, file)
}

function toPageLine(line: string, modules: readonly DocModule[]): string {
  const module = modules.find((module) => line.startsWith(`${toPath(module)}(`))
  return module === undefined ? line : `${module.page}${line.slice(toPath(module).length)}`
}

function toConfig(folder: string): object {
  const back = relative(folder, root)
  return {
    extends: `${back}/tsconfig.json`,
    compilerOptions: {
      moduleDetection: 'force',
      types: ['@cloudflare/workers-types', 'node'],
    },
    include: ['.', `${back}/src/env.d.ts`],
    exclude: [],
  }
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}
