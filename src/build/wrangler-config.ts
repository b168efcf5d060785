import { CliError, toErrorMessage } from './errors.ts'
import { basename } from 'node:path'
import type { Bindings } from '../define/registry.ts'
import { type JsonObject, isJsonObject } from '../protocol/json.ts'
import type { RateWindow } from '../util/rate-limit.ts'
import { readWranglerFile } from './wrangler-file.ts'
import type { StoredClass } from './evaluated.ts'
import { type WorkerEnv, readWorkerEnv } from './worker-env.ts'

/** The part of wrangler's configuration that the build needs to evaluate tools as they will run. */
export interface WranglerConfig {
  /** The path of the Worker's module, from the folder of the configuration. */
  readonly main: string | null
  readonly compatibilityDate: string
  readonly compatibilityFlags: readonly string[]
  readonly bindings: Bindings
  readonly bundling: Bundling
  /** The top level, or the chosen environment with what it inherits. */
  readonly env: WorkerEnv
  /** Durable Object classes of Helve that a migration declares. */
  readonly declaredClasses: readonly string[]
  /** Those without a migration. */
  readonly undeclaredClasses: readonly StoredClass[]
  /** A tag for another migration. Those that a deploy has applied must not be changed. */
  readonly newTag: string
  /** Whether Workers Cache is enabled for the entrypoint `Listings`; `null` if it is not set. */
  readonly cachesListings: boolean | null
  /** The same for the default entrypoint, which must not be cached. */
  readonly cachesDefault: boolean | null
}

/**
 * Reads the configuration of wrangler; see {@link readWranglerFile}.
 *
 * @throws {CliError} if it cannot be read, or has no compatibility date.
 */
export async function loadWranglerConfig(
  path: string,
  { out, environment }: { readonly out: string; readonly environment: string | null },
): Promise<WranglerConfig> {
  const config = await readWranglerFile(path, out)
  try {
    return readWranglerConfig(config, environment)
  } catch (error) {
    throw new CliError(`${basename(path)}: ${toErrorMessage(error)}`)
  }
}

/** Reads the parsed configuration. wrangler itself checks what the build does not use. */
export function readWranglerConfig(
  config: JsonObject,
  environment: string | null = null,
): WranglerConfig {
  const table = readEnvironment(config, environment)
  const own = { ...config, ...table }
  const date = own['compatibility_date']
  if (typeof date !== 'string') {
    throw new CliError(
      'compatibility_date is missing. Add one, such as compatibility_date = "2026-11-02".',
    )
  }
  const environments = isJsonObject(config['env']) ? Object.values(config['env']) : []
  const all = [config, ...environments.filter(isJsonObject)]
  const inherited = all.map((one) => ({ ...config, ...one }))
  return {
    main: isText(config['main']) ? config['main'] : null,
    compatibilityDate: date,
    compatibilityFlags: listOf(own['compatibility_flags']).filter(isText),
    bindings: {
      vars: [...new Set(all.flatMap(({ vars }) => (isJsonObject(vars) ? Object.keys(vars) : [])))],
      limits: Object.fromEntries(all.flatMap(readLimits)),
      ...readVersionMetadata(all),
    },
    bundling: readBundling(config, table),
    env: readWorkerEnv(environment === null ? all : [table]),
    ...readDeclaredClasses(config),
    newTag: toNewTag(config),
    cachesListings: readCaches(inherited, 'Listings'),
    cachesDefault: readCaches(inherited, 'default'),
  }
}

/** Returns the section of an environment; the top level if there are no environments. */
function readEnvironment(config: JsonObject, name: string | null): JsonObject {
  const { env } = config
  if (name === null || !isJsonObject(env)) return config
  const section = Object.hasOwn(env, name) ? env[name] : undefined
  if (isJsonObject(section)) return section
  const names = Object.keys(env).join(', ')
  throw new CliError(`There is no environment "${name}". The environments are: ${names}.`)
}

function readLimits({ ratelimits }: JsonObject): readonly (readonly [string, RateWindow])[] {
  return listOf(ratelimits).flatMap((binding) => {
    const { name, simple } = isJsonObject(binding) ? binding : {}
    const { limit, period } = isJsonObject(simple) ? simple : {}
    // wrangler refuses a binding without a limit and a period
    return isText(name) ? [[name, { limit: Number(limit), period: Number(period) }] as const] : []
  })
}

function readVersionMetadata(all: readonly JsonObject[]): Pick<Bindings, 'versionMetadata'> {
  const [binding] = all.flatMap(({ version_metadata: metadata }) =>
    isJsonObject(metadata) && isText(metadata['binding']) ? [metadata['binding']] : [],
  )
  return binding === undefined ? {} : { versionMetadata: binding }
}

/** The setting of an entrypoint overrides that of the Worker. One environment that caches is enough. */
function readCaches(all: readonly JsonObject[], name: 'Listings' | 'default'): boolean | null {
  const settings = all.flatMap(({ cache, exports }) => {
    const entrypoint = isJsonObject(exports) ? exports[name] : undefined
    const own = isJsonObject(entrypoint) ? readEnabled(entrypoint['cache']) : null
    return own ?? readEnabled(cache) ?? []
  })
  return settings.length === 0 ? null : settings.includes(true)
}

function readEnabled(cache: unknown): boolean | null {
  return isJsonObject(cache) && typeof cache['enabled'] === 'boolean' ? cache['enabled'] : null
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

const storedClasses: readonly StoredClass[] = ['Handles', 'Hub', 'Bridge']

// without a migration wrangler starts the Worker silently, and the first question or handle fails
function readDeclaredClasses({
  migrations,
}: JsonObject): Pick<WranglerConfig, 'declaredClasses' | 'undeclaredClasses'> {
  const declared = new Set(listOf(migrations).flatMap(readClasses))
  return {
    declaredClasses: storedClasses.filter((name) => declared.has(name)),
    undeclaredClasses: storedClasses.filter((name) => !declared.has(name)),
  }
}

/** Returns a tag for another migration. */
export function toNewTag({ migrations }: JsonObject): string {
  const tags = listOf(migrations).map((migration) => isJsonObject(migration) && migration['tag'])
  let count = tags.length + 1
  while (tags.includes(`v${count}`)) count += 1
  return `v${count}`
}

// not `new_classes`, whose older storage has no SQL
function readClasses(migration: unknown): readonly unknown[] {
  if (!isJsonObject(migration)) return []
  const { new_sqlite_classes: created, renamed_classes: renamed } = migration
  const moved = [...listOf(renamed), ...listOf(migration['transferred_classes'])]
  return [...listOf(created), ...moved.map((move) => (isJsonObject(move) ? move['to'] : null))]
}

/** How wrangler is told to bundle. */
export interface Bundling {
  readonly alias: Readonly<Record<string, string>>
  readonly define: Readonly<Record<string, string>>
  readonly jsxFactory: string
  readonly jsxFragment: string
  readonly keepNames: boolean
  /** A path from the folder of the configuration; `null` for the nearest tsconfig.json. */
  readonly tsconfig: string | null
  readonly rules: readonly ModuleRule[]
}

/** Which imports are not JavaScript. */
export interface ModuleRule {
  readonly type: 'Text' | 'Data' | 'CompiledWasm'
  readonly globs: readonly string[]
  /** Whether an earlier rule of this type, without `fallthrough`, makes wrangler ignore this one. */
  readonly ignored: boolean
}

function readBundling(config: JsonObject, environment: JsonObject): Bundling {
  const own = { ...config, ...environment }
  const { jsx_factory: factory, jsx_fragment: fragment, keep_names: keepNames, tsconfig } = own
  return {
    alias: readTexts(config['alias']),
    // an environment does not inherit it
    define: readTexts(environment['define']),
    jsxFactory: isText(factory) ? factory : 'React.createElement',
    jsxFragment: isText(fragment) ? fragment : 'React.Fragment',
    keepNames: keepNames !== false,
    tsconfig: isText(tsconfig) ? tsconfig : null,
    rules: readModuleRules(listOf(own['rules'])),
  }
}

function readTexts(table: unknown): Readonly<Record<string, string>> {
  const members = Object.entries(isJsonObject(table) ? table : {})
  return Object.fromEntries(
    members.flatMap(([key, value]) => (isText(value) ? [[key, value] as const] : [])),
  )
}

const defaultRules = [
  { type: 'Text', globs: ['**/*.txt', '**/*.html', '**/*.sql'] },
  { type: 'Data', globs: ['**/*.bin'] },
  { type: 'CompiledWasm', globs: ['**/*.wasm', '**/*.wasm?module'] },
]

const ruleTypes = ['Text', 'Data', 'CompiledWasm'] as const

/** Reads wrangler's `[[rules]]`, followed by its own. Other types are for Workers without a bundle. */
function readModuleRules(own: readonly unknown[]): readonly ModuleRule[] {
  const ended = new Set<string>()
  return [...own, ...defaultRules].filter(isJsonObject).flatMap((rule) => {
    const type = ruleTypes.find((name) => name === rule['type'])
    if (type === undefined) return []
    const ignored = ended.has(type)
    if (rule['fallthrough'] !== true) ended.add(type)
    return [{ type, globs: listOf(rule['globs']).filter(isText), ignored }]
  })
}
