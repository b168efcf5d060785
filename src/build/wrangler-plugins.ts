import type { Plugin, PluginBuild } from 'esbuild'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { builtinModules, createRequire } from 'node:module'
import { dirname, join, parse } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Bundling, ModuleRule, WranglerConfig } from './wrangler-config.ts'
import { requireOfWrangler } from './wrangler-packages.ts'

/*
 * wrangler exports no bundler. These plugins make esbuild bundle as wrangler does, so that the build
 * evaluates what the Worker will run.
 */

/** Resolves the imports that `[alias]` names, from the folder of the configuration. */
export function createAliasPlugin({ alias }: Pick<Bundling, 'alias'>, folder: string): Plugin {
  const { resolve } = createRequire(join(folder, 'package.json'))
  return {
    name: 'alias',
    setup(build) {
      for (const [name, target] of Object.entries(alias)) {
        build.onResolve({ filter: toGlobFilter(name) }, () => {
          try {
            return { path: resolve(target) }
          } catch {
            const text = `[alias] replaces "${name}" with "${target}", which was not found.`
            return { errors: [{ text }] }
          }
        })
      }
    },
  }
}

const resolvedAgain = Symbol('resolved again')

/** A module that is not JavaScript. */
export interface OtherModule {
  readonly path: string
  readonly contents: Uint8Array
  readonly type: ModuleRule['type']
}

/** Where such modules go. */
export interface OtherModules {
  /** The folder from which the bundle imports them. */
  readonly folder: string
  /** Those that the bundle imports, by their names. */
  readonly found: Map<string, OtherModule>
}

/**
 * Collects the modules that are not JavaScript. They stay imports, since esbuild cannot bundle what
 * `import source` imports. A rule matches the text of an import, not a path.
 */
export function createRulesPlugin(
  { rules }: Pick<Bundling, 'rules'>,
  { folder, found }: OtherModules,
): Plugin {
  return {
    name: 'rules',
    setup(build) {
      for (const rule of rules) {
        for (const glob of rule.globs) {
          build.onResolve({ filter: toGlobFilter(glob) }, async (args) => {
            if (args.pluginData === resolvedAgain) return null
            if (rule.ignored) return { errors: [{ text: toIgnoredRuleText(args.path, rule) }] }
            const { importer, kind, resolveDir } = args
            // wrangler drops a query, such as that of "./add.wasm?module"
            const [specifier = ''] = args.path.split('?')
            const again = { importer, kind, resolveDir, pluginData: resolvedAgain }
            const { path, errors } = await build.resolve(specifier, again)
            if (errors.length > 0) return { errors }
            const contents = await readFile(path)
            const name = toModuleName(path, contents)
            found.set(name, { path: name, contents, type: rule.type })
            return { path: `${folder}/${name}`, external: true }
          })
        }
      }
    },
  }
}

/** Names a module by its contents too; the end of its name stays, which a rule may match again. */
function toModuleName(path: string, contents: Uint8Array): string {
  const { name, ext } = parse(path)
  return `${name}-${createHash('sha256').update(contents).digest('hex').slice(0, 16)}${ext}`
}

function toIgnoredRuleText(specifier: string, { type, globs }: ModuleRule): string {
  return (
    `"${specifier}" matches the rule ${type} for ${globs.join(', ')}, which wrangler ignores: an ` +
    `earlier rule of this type lacks fallthrough = true. Add it to the earlier rule in [[rules]].`
  )
}

/** How the compatibility date and flags let the Worker use Node. */
interface NodeSupport {
  readonly plugin: Plugin
  /** A module that sets the globals which workerd lacks; `null` if it lacks none. */
  readonly globals: { readonly contents: string; readonly resolveDir: string } | null
}

/**
 * Resolves the modules of Node as the compatibility date and flags say: workerd has most of them, and
 * unenv replaces the others. Both unenv and its preset are those of the project's wrangler.
 */
export async function loadNodeSupport(root: string, config: WranglerConfig): Promise<NodeSupport> {
  const loaded = resolvesNodeModules(config) ? await loadNodeEnvironment(root, config) : null
  const plugin: Plugin = {
    name: 'node',
    setup(build) {
      if (loaded !== null) resolveNodeModules(build, loaded.require, loaded.environment)
      build.onResolve({ filter: /^node:/ }, () => ({ external: true }))
    },
  }
  const contents = loaded === null ? '' : toGlobalsSource(loaded.environment)
  if (loaded === null || contents === '') return { plugin, globals: null }
  return {
    plugin,
    globals: { contents, resolveDir: dirname(loaded.require.resolve('wrangler/package.json')) },
  }
}

/** Whether modules such as `events` can be imported without the prefix `node:`. */
function resolvesNodeModules({
  compatibilityDate: date,
  compatibilityFlags: flags,
}: CompatibilityConfig): boolean {
  if (flags.includes('nodejs_compat_v2')) return true
  if (flags.includes('no_nodejs_compat_v2')) return false
  // in wrangler "no_nodejs_compat" alone does not change how modules resolve: workerd then lacks them
  return date >= '2026-08-04' || (flags.includes('nodejs_compat') && date >= '2024-09-23')
}

type CompatibilityConfig = Pick<WranglerConfig, 'compatibilityDate' | 'compatibilityFlags'>

/** What unenv knows of an environment: the parts that wrangler uses. */
interface NodeEnvironment {
  /** What to import in place of a module. */
  readonly alias: Readonly<Record<string, string>>
  /** The module and the export that a global is set to; `false` if workerd has the global. */
  readonly inject: Readonly<Record<string, string | readonly string[] | false>>
  readonly polyfill: readonly string[]
  readonly external: readonly string[]
}

interface Unenv {
  readonly defineEnv: (options: {
    readonly presets: readonly object[]
    readonly npmShims: boolean
  }) => { readonly env: NodeEnvironment }
}

interface CloudflarePreset {
  readonly getCloudflarePreset: (config: CompatibilityConfig) => object
}

async function loadNodeEnvironment(
  root: string,
  config: WranglerConfig,
): Promise<{ readonly require: NodeJS.Require; readonly environment: NodeEnvironment }> {
  const project = createRequire(join(root, 'package.json'))
  try {
    const require = requireOfWrangler(root)
    const { defineEnv }: Unenv = await importPackage(require, 'unenv')
    const preset: CloudflarePreset = await importPackage(require, '@cloudflare/unenv-preset')
    const cloudflare = preset.getCloudflarePreset(config)
    // unenv replaces `debug` with a stub, which wrangler undoes
    const presets = [cloudflare, { alias: { debug: 'debug' } }]
    return { require, environment: defineEnv({ presets, npmShims: true }).env }
  } catch {
    // without wrangler, or with one that works in another way, workerd's own modules are what is left
    const names = builtinModules.flatMap((name) => [name, `node:${name}`])
    const alias = Object.fromEntries(names.map((name) => [name, name]))
    return { require: project, environment: { alias, external: names, inject: {}, polyfill: [] } }
  }
}

/** Imports an ES module whose package has no entry for `require`, which alone can be resolved here. */
async function importPackage(require: NodeJS.Require, name: string) {
  const manifest = require.resolve(`${name}/package.json`)
  const { exports } = JSON.parse(await readFile(manifest, 'utf8'))
  const { import: module, default: otherwise } = exports['.']
  return import(pathToFileURL(join(dirname(manifest), module ?? otherwise)).href)
}

function resolveNodeModules(
  build: PluginBuild,
  require: NodeJS.Require,
  { alias, external }: NodeEnvironment,
): void {
  const targets = new Map(
    Object.entries(alias).flatMap(([name, target]) => {
      const path = tryResolve(require, target)
      return path === null ? [] : [[name, { path, external: external.includes(target) }] as const]
    }),
  )
  const builtIns = Object.keys(alias).filter((name) => `node:${name}` in alias)
  const stubs = [...targets.keys()].filter((name) =>
    /^unenv\/(?:npm|mock)\//.test(alias[name] ?? ''),
  )
  turnRequireToImport(build, [...builtIns, 'node:*'], toBuiltInSource)
  turnRequireToImport(build, stubs, toStubSource)
  for (const [name, target] of targets)
    build.onResolve({ filter: toGlobFilter(name) }, () => target)
}

/**
 * Lets CommonJS modules require what workerd can only import: esbuild would replace such a call with
 * one that throws "Dynamic require is not supported".
 */
function turnRequireToImport(
  build: PluginBuild,
  globs: readonly string[],
  toSource: (path: string) => string,
): void {
  const namespace = toSource.name
  for (const glob of globs) {
    build.onResolve({ filter: toGlobFilter(glob) }, ({ kind, path }) =>
      kind === 'require-call' ? { path, namespace } : null,
    )
  }
  build.onLoad({ filter: /^/, namespace }, ({ path }) => ({
    contents: toSource(JSON.stringify(path)),
  }))
}

function toBuiltInSource(path: string): string {
  return `import all from ${path}\nmodule.exports = all`
}

function toStubSource(path: string): string {
  return `import * as all from ${path}
module.exports = 'default' in all ? all.default : {}
for (const [name, value] of Object.entries(all)) {
  if (name !== 'default') Object.defineProperty(module.exports, name, { value, enumerable: true })
}`
}

/** Writes the module that sets globals of Node. */
function toGlobalsSource({ inject, polyfill }: NodeEnvironment): string {
  const lines = Object.entries(inject).flatMap(([name, source], index) => {
    if (source === false) return []
    const [module, exported = 'default'] = typeof source === 'string' ? [source] : source
    return [
      `import { ${exported} as global${index} } from ${JSON.stringify(module)}`,
      `globalThis[${JSON.stringify(name)}] = global${index}`,
    ]
  })
  return [...lines, ...polyfill.map((module) => `import ${JSON.stringify(module)}`)].join('\n')
}

function tryResolve({ resolve }: NodeJS.Require, specifier: string): string | null {
  try {
    return resolve(specifier)
  } catch {
    return null
  }
}

// `*` matches slashes too, and nothing else is special
function toGlobFilter(glob: string): RegExp {
  return new RegExp(`^${glob.split(/\*+/).map(escapeForPattern).join('.*')}$`)
}

function escapeForPattern(text: string): string {
  return text.replaceAll(/[\\^$*+?.()|[\]{}]/g, '\\$&')
}
