import type { BuildFailure, BuildOptions, Message, OutputFile, Plugin } from 'esbuild'
import { builtinModules, createRequire } from 'node:module'
import { basename, dirname, extname, join, resolve } from 'node:path'
import type { EvaluationSettings, Refusal } from './evaluated.ts'
import type { Sources, ToolSource } from './project.ts'
import type { WranglerConfig } from './wrangler-config.ts'
import type { WorkerModule } from './workerd.ts'
import { loadEsbuild } from './wrangler-packages.ts'
import {
  type OtherModules,
  createAliasPlugin,
  createRulesPlugin,
  loadNodeSupport,
} from './wrangler-plugins.ts'

interface Bundle {
  /** The module with the handler comes first, and the settings last; empty if nothing could be bundled. */
  readonly modules: readonly WorkerModule[]
  readonly sourceMaps: readonly OutputFile[]
  readonly refusals: readonly Refusal[]
  /** The tools that are in the modules. */
  readonly files: readonly string[]
}

/**
 * Bundles the tools for evaluation. A file that esbuild cannot read is refused and left out, so that
 * one build reports the problems of all files.
 */
export async function bundle(sources: Sources, marker: string): Promise<Bundle> {
  const { project, config, tools } = sources
  const settings: EvaluationSettings = {
    limits: Object.keys(config.bindings.limits),
    placeholders: { secrets: config.env.secrets, others: config.env.others },
    marker,
  }
  const esbuild = loadEsbuild(project.root)
  const { plugin: nodePlugin, globals } = await loadNodeSupport(project.root, config)
  const contents = toEvaluationSource(tools, hasZod(project.root), globals !== null)
  const found: OtherModules['found'] = new Map()
  const options = {
    ...toBundleOptions(sources, { folder: '.', found }),
    define: toDefinitions(config),
  }
  try {
    const { outputFiles } = await esbuild.build({
      ...options,
      // the name of a file may be too long, or hard to find in a stack
      chunkNames: '[hash]',
      entryPoints: ['helve-workers'],
      stdin: { contents, resolveDir: project.root, sourcefile: 'evaluation.js' },
      external: [...options.external, settingsFile, workersFile, globalsFile],
      plugins: [...options.plugins, environmentPlugin, nodePlugin],
      sourcemap: 'external',
    })
    const sourceMaps = outputFiles.filter(({ path }) => path.endsWith('.map'))
    // not the style sheets, which wrangler does not upload
    const scripts = outputFiles.filter(({ path }) => path.endsWith('.js'))
    const [main, others] = partition(scripts, ({ path }) => basename(path) === 'stdin.js')
    const modules: WorkerModule[] = [...main, ...others].map(({ path, contents }) => ({
      path,
      contents,
      type: 'ESModule',
    }))
    modules.push(...found.values())
    if (globals !== null) {
      const { outputFiles } = await esbuild.build({
        ...options,
        // with splitting esbuild may evaluate modules in another order than their imports
        splitting: false,
        stdin: globals,
        plugins: [nodePlugin],
      })
      const [{ contents } = { contents: new Uint8Array() }] = outputFiles
      modules.push({ path: globalsFile, contents, type: 'ESModule' })
    }
    modules.push({
      path: settingsFile,
      contents: new TextEncoder().encode(JSON.stringify(settings)),
      type: 'Json',
    })
    return { modules, sourceMaps, refusals: [], files: tools.map(({ file }) => file) }
  } catch (error) {
    if (!isBuildFailure(error)) throw error
    const refusals = error.errors.map(toRefusal)
    const broken = new Set(refusals.flatMap(({ files }) => files))
    const rest = tools.filter(({ file }) => !broken.has(file))
    // the error is in a file that tools share, so no tool can be left out
    if (rest.length === tools.length || rest.length === 0)
      return { modules: [], sourceMaps: [], refusals, files: [] }
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

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && 'errors' in error && Array.isArray(error.errors)
}

// without esbuild's notes, which suggest options that the author cannot set
function toRefusal({ text, location }: Message): Refusal {
  if (location === null) return { files: ['tools'], why: text }
  const { file, line, column } = location
  const unresolved = /^Could not resolve "(.+)"$/.exec(text)?.[1] ?? ''
  return {
    files: [file],
    why: `${file}:${line}:${column + 1}: ${text}${toAdvice(unresolved)}`,
    ...(toReplacement(unresolved) !== null && { code: 'renamed-import' }),
  }
}

function toAdvice(unresolved: string): string {
  const replacement = toReplacement(unresolved)
  if (replacement !== null) return `. This module was renamed: ${replacement}`
  return builtinModules.includes(unresolved) ? `. It is a module of Node. ${nodeAdvice}` : ''
}

/** What to do where the modules of Node are missing. */
export const nodeAdvice: string =
  'Add "nodejs_compat" to compatibility_flags in wrangler.toml; it is the default for a ' +
  'compatibility_date from 2026-08-04.'

/** Returns the options that wrangler uses, so that modules resolve as they will in the Worker. */
export function toBundleOptions(
  { project, config }: Sources,
  others: OtherModules,
): BuildOptions & {
  readonly write: false
  readonly external: string[]
  readonly plugins: Plugin[]
} {
  const { jsxFactory, jsxFragment, keepNames, tsconfig } = config.bundling
  const folder = dirname(project.config)
  const platform = platforms.find((name) => name === process.env['WRANGLER_BUILD_PLATFORM'])
  return {
    absWorkingDir: project.root,
    outdir: project.out,
    bundle: true,
    // each tool stays a module of its own, so that it fails alone
    splitting: true,
    format: 'esm',
    target: 'es2024',
    supported: { 'import-source': true, using: true },
    conditions: process.env['WRANGLER_BUILD_CONDITIONS']?.split(',') ?? [
      'workerd',
      'worker',
      'browser',
    ],
    ...(platform !== undefined && { platform }),
    external: ['cloudflare:*'],
    loader: { '.js': 'jsx', '.mjs': 'jsx', '.cjs': 'jsx' },
    jsxFactory,
    jsxFragment,
    keepNames,
    ...(tsconfig !== null && { tsconfig: resolve(folder, tsconfig) }),
    plugins: [
      createAliasPlugin(config.bundling, folder),
      createRulesPlugin(config.bundling, others),
    ],
    sourcesContent: false,
    write: false,
    logLevel: 'silent',
    logLimit: 0,
  }
}

const platforms = ['browser', 'node', 'neutral'] as const

/** Returns what wrangler replaces in the code. */
function toDefinitions({ bundling, compatibilityDate, compatibilityFlags }: WranglerConfig) {
  const isDev = process.env['WRANGLER_COMMAND'] === 'dev'
  const environment = process.env['NODE_ENV'] || (isDev ? 'development' : 'production')
  const hasNavigator =
    compatibilityFlags.includes('global_navigator') ||
    (compatibilityDate >= '2022-03-21' && !compatibilityFlags.includes('no_global_navigator'))
  return {
    ...(hasNavigator && { 'navigator.userAgent': '"Cloudflare-Workers"' }),
    'process.env.NODE_ENV': JSON.stringify(environment),
    'global.process.env.NODE_ENV': JSON.stringify(environment),
    'globalThis.process.env.NODE_ENV': JSON.stringify(environment),
    ...bundling.define,
  }
}

const evaluationFolder = join(import.meta.dirname, 'evaluation')
// .ts in the repository, .js in the package
const extension = extname(import.meta.filename)

/**
 * Lets the modules of tools import an `env` that the evaluation observes. It is a file of its own,
 * since esbuild does not know what `export *` of an external module exports.
 */
const environmentPlugin: Plugin = {
  name: 'environment',
  setup(build) {
    const namespace = 'environment'
    build.onResolve({ filter: /^helve-workers$/ }, ({ path }) => ({ path, namespace }))
    build.onLoad({ filter: /^/, namespace }, () => ({
      contents: [
        "import { env as real } from 'cloudflare:workers'",
        `import { ObservedEnv } from ${JSON.stringify(join(evaluationFolder, `observed-env${extension}`))}`,
        `import settings from ${JSON.stringify(settingsFile)}`,
        "export * from 'cloudflare:workers'",
        'const observed = new ObservedEnv(settings.placeholders)',
        'export const env = observed.observe(real)',
        'export const takeReads = () => observed.takeReads()',
      ].join('\n'),
      resolveDir: evaluationFolder,
    }))
    build.onResolve({ filter: /^cloudflare:workers$/ }, ({ path, kind, namespace: importer }) => ({
      path: importer === namespace || kind === 'require-call' ? path : workersFile,
      external: true,
    }))
  },
}

const workersFile = './helve-workers.js'
const globalsFile = './helve-globals.js'
// a module of its own, as the digest of the code must not depend on the files of a machine
const settingsFile = './helve-settings.json'
const evaluationEntry = join(evaluationFolder, `evaluate${extension}`)

/** Writes the Worker that evaluates the tools, for `workerd test`. */
function toEvaluationSource(
  tools: readonly ToolSource[],
  hasZod: boolean,
  hasGlobals: boolean,
): string {
  const modules = tools.map(({ file, name }) => {
    const load = `() => import(${JSON.stringify(`./${file}`)})`
    return `{ file: ${JSON.stringify(file)}, name: ${JSON.stringify(name)}, load: ${load} }`
  })
  return [
    hasGlobals ? `import ${JSON.stringify(globalsFile)}` : '',
    `import { evaluate } from ${JSON.stringify(evaluationEntry)}`,
    `import settings from ${JSON.stringify(settingsFile)}`,
    `import { takeReads } from ${JSON.stringify(workersFile)}`,
    hasZod ? "import * as zod from 'zod/v4/core'" : 'const zod = null',
    `const modules = [${modules.join(', ')}]`,
    'export default { test: () => evaluate({ ...settings, modules, takeReads, zod }) }',
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
