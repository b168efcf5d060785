import * as esbuild from 'esbuild'
import type { BuildOptions } from 'esbuild'
import { builtinModules, createRequire } from 'node:module'
import { basename, join } from 'node:path'
import type { Refusal } from './evaluated.ts'
import type { Sources, ToolSource } from './project.ts'

interface Bundle {
  /** The module with the handler comes first; empty if nothing could be bundled. */
  readonly modules: readonly esbuild.OutputFile[]
  readonly sourceMaps: readonly esbuild.OutputFile[]
  readonly refusals: readonly Refusal[]
}

/**
 * Bundles the tools for evaluation. A file that esbuild cannot read is refused and left out, so that
 * one build reports the problems of all files.
 */
export async function bundle(sources: Sources, marker: string): Promise<Bundle> {
  const { project, config, tools } = sources
  const contents = toEvaluationSource(
    tools,
    { limits: Object.keys(config.bindings.limits), marker },
    hasZod(project.root),
  )
  try {
    const { outputFiles } = await esbuild.build({
      ...toBundleOptions(sources),
      stdin: { contents, resolveDir: project.root, sourcefile: 'evaluation.js' },
      sourcemap: 'external',
    })
    const [sourceMaps, modules] = partition(outputFiles, ({ path }) => path.endsWith('.map'))
    const [main, others] = partition(modules, ({ path }) => basename(path) === 'stdin.js')
    return { modules: [...main, ...others], sourceMaps, refusals: [] }
  } catch (error) {
    if (!isBuildFailure(error)) throw error
    const refusals = error.errors.map(toRefusal)
    const broken = new Set(refusals.flatMap(({ files }) => files))
    const rest = tools.filter(({ file }) => !broken.has(file))
    // the error is in a file that tools share, so no tool can be left out
    if (rest.length === tools.length || rest.length === 0)
      return { modules: [], sourceMaps: [], refusals }
    const others = await bundle({ ...sources, tools: rest }, marker)
    return { ...others, refusals: [...refusals, ...others.refusals] }
  }
}

function hasZod(root: string): boolean {
  try {
    return createRequire(join(root, 'package.json')).resolve('zod/v4/core') !== ''
  } catch {
    return false
  }
}

function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))]
}

function isBuildFailure(error: unknown): error is esbuild.BuildFailure {
  return error instanceof Error && 'errors' in error && Array.isArray(error.errors)
}

// without esbuild's notes, which suggest options that the author cannot set
function toRefusal({ text, location }: esbuild.Message): Refusal {
  if (location === null) return { files: ['tools'], why: text }
  const { file, line, column } = location
  const replacement = toReplacement(/^Could not resolve "(.+)"$/.exec(text)?.[1] ?? '')
  const advice = replacement === null ? '' : `. This module was renamed: ${replacement}`
  return { files: [file], why: `${file}:${line}:${column + 1}: ${text}${advice}` }
}

/** Returns the options that wrangler uses, so that modules resolve as they will in the Worker. */
export function toBundleOptions({ project, config }: Sources): BuildOptions & { write: false } {
  return {
    absWorkingDir: project.root,
    outdir: project.out,
    bundle: true,
    // each tool stays a module of its own, so that it fails alone
    splitting: true,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*', ...builtinModules],
    loader: Object.fromEntries([...config.moduleTypes.keys()].map((type) => [type, 'copy'])),
    sourcesContent: false,
    write: false,
    logLevel: 'silent',
    logLimit: 0,
  }
}

const evaluationEntry = join(import.meta.dirname, 'evaluation/evaluate.ts')

/** Writes the Worker that evaluates the tools, for `workerd test`. */
function toEvaluationSource(
  tools: readonly ToolSource[],
  settings: { readonly limits: readonly string[]; readonly marker: string },
  hasZod: boolean,
): string {
  const modules = tools.map(({ file, name }) => {
    const load = `() => import(${JSON.stringify(`./${file}`)})`
    return `{ file: ${JSON.stringify(file)}, name: ${JSON.stringify(name)}, load: ${load} }`
  })
  return [
    `import { evaluate } from ${JSON.stringify(evaluationEntry)}`,
    hasZod ? "import * as zod from 'zod/v4/core'" : 'const zod = null',
    `const settings = ${JSON.stringify(settings)}`,
    `const modules = [${modules.join(', ')}]`,
    'export default { test: () => evaluate({ ...settings, modules, zod }) }',
  ].join('\n')
}

const access = 'helve/access/'

const replacements: ReadonlyMap<string, string> = new Map([
  ['helve/access/optional', "import { optionalAuth } from 'helve/auth/optional-auth'."],
  [
    'helve/access/cloudflare-access',
    "import { cloudflareAccess } from 'helve/auth/cloudflare-access'.",
  ],
])

/** Returns what to write instead of an import of an earlier version, or `null` if it is current. */
export function toReplacement(specifier: string): string | null {
  if (!specifier.startsWith(access)) return null
  return replacements.get(specifier) ?? `import 'helve/auth/${specifier.slice(access.length)}'.`
}
