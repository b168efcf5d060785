import { CliError, toErrorMessage } from './errors.ts'
import { basename } from 'node:path'
import type { Bindings } from '../define/registry.ts'
import { type JsonObject, isJsonObject } from '../protocol/json.ts'
import type { RateWindow } from '../util/rate-limit.ts'
import { readWranglerFile } from './wrangler-file.ts'
import type { StoredClass } from './evaluated.ts'

/** The part of wrangler's configuration that the build needs to evaluate tools as they will run. */
export interface WranglerConfig {
  /** The path of the Worker's module, from the folder of the configuration. */
  readonly main: string | null
  readonly compatibilityDate: string
  readonly compatibilityFlags: readonly string[]
  readonly bindings: Bindings
  readonly moduleTypes: ModuleTypes
  /** Durable Object classes of Helve that a migration declares. */
  readonly declaredClasses: readonly string[]
  /** Those without a migration. */
  readonly undeclaredClasses: readonly StoredClass[]
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
  cacheFolder: string,
): Promise<WranglerConfig> {
  const config = await readWranglerFile(path, cacheFolder)
  try {
    return readWranglerConfig(config)
  } catch (error) {
    throw new CliError(`${basename(path)}: ${toErrorMessage(error)}`)
  }
}

/** Reads the parsed configuration. wrangler itself checks what the build does not use. */
export function readWranglerConfig(config: JsonObject): WranglerConfig {
  const date = config['compatibility_date']
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
    compatibilityFlags: listOf(config['compatibility_flags']).filter(isText),
    bindings: {
      vars: [...new Set(all.flatMap(({ vars }) => (isJsonObject(vars) ? Object.keys(vars) : [])))],
      limits: Object.fromEntries(all.flatMap(readLimits)),
      ...readVersionMetadata(all),
    },
    moduleTypes: readModuleRules(listOf(config['rules'])),
    ...readDeclaredClasses(config),
    cachesListings: readCaches(inherited, 'Listings'),
    cachesDefault: readCaches(inherited, 'default'),
  }
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

const storedClasses: readonly StoredClass[] = ['Handles', 'Hub']

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

// not `new_classes`, whose older storage has no SQL
function readClasses(migration: unknown): readonly unknown[] {
  if (!isJsonObject(migration)) return []
  const { new_sqlite_classes: created, renamed_classes: renamed } = migration
  const moved = [...listOf(renamed), ...listOf(migration['transferred_classes'])]
  return [...listOf(created), ...moved.map((move) => (isJsonObject(move) ? move['to'] : null))]
}

/** The type that workerd gives a module that is not JavaScript, by file extension. */
type ModuleTypes = ReadonlyMap<string, 'text' | 'data' | 'wasm'>

const types = new Map([
  ['Text', 'text'],
  ['Data', 'data'],
  ['CompiledWasm', 'wasm'],
] as const)

const builtIn: ModuleTypes = new Map([
  ['.txt', 'text'],
  ['.html', 'text'],
  ['.sql', 'text'],
  ['.bin', 'data'],
  ['.wasm', 'wasm'],
])

/** Reads wrangler's `[[rules]]`, each by the extension at the end of its globs. */
function readModuleRules(rules: readonly unknown[]): ModuleTypes {
  const own = rules.filter(isJsonObject).flatMap(({ type, globs }) => {
    const workerdType = [...types].find(([name]) => name === type)?.[1]
    if (workerdType === undefined || !Array.isArray(globs)) return []
    return globs.flatMap((glob) => {
      const [extension] = /\.\w+$/.exec(String(glob)) ?? []
      return extension === undefined ? [] : [[extension, workerdType] as const]
    })
  })
  return new Map([...builtIn, ...own])
}
