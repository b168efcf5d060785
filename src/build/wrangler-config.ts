import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { parse } from 'smol-toml'
import type { Bindings } from '../define/registry.ts'
import { type JsonObject, isJsonObject } from '../protocol/json.ts'
import type { RateWindow } from '../util/rate-limit.ts'
import { toErrorMessage } from './kinds/evaluated.ts'
import { CliError } from './main.ts'

/** What the build needs of wrangler's configuration, to evaluate tools as they will run. */
export interface WranglerConfig {
  /** The Worker's module, from where this file is. */
  readonly main: string | null
  readonly compatibilityDate: string
  readonly compatibilityFlags: readonly string[]
  /** Those of every `[env]` included. */
  readonly bindings: Bindings
  readonly moduleTypes: ModuleTypes
  /** Classes of Helve that have no storage. */
  readonly undeclaredClasses: readonly string[]
  /** Whether Workers Cache stands in front of the entrypoint `Listings`; `null` where it says nothing. */
  readonly cachesListings: boolean | null
  /** The same of the Worker itself, which has to be asked each time. */
  readonly cachesDefault: boolean | null
}

/** Reads wrangler.toml; a {@link CliError} says what is missing there. */
export async function loadWranglerConfig(path: string): Promise<WranglerConfig> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new CliError(
      `There is no ${basename(path)} here. Run helve where it is, or name it with --config.`,
    )
  })
  try {
    return readWranglerConfig(parse(text))
  } catch (error) {
    // smol-toml's message shows the line, and ours says what to write
    throw new CliError(`${basename(path)}: ${toErrorMessage(error)}`)
  }
}

/** Reads the parsed configuration. wrangler itself judges whatever the build has no use for. */
export function readWranglerConfig(config: JsonObject): WranglerConfig {
  const date = config['compatibility_date']
  if (typeof date !== 'string') {
    throw new CliError('Set compatibility_date, such as compatibility_date = "2026-11-02".')
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
    undeclaredClasses: findUndeclaredClasses(config),
    cachesListings: readCaches(inherited, 'Listings'),
    cachesDefault: readCaches(inherited, 'default'),
  }
}

function readLimits({ ratelimits }: JsonObject): readonly (readonly [string, RateWindow])[] {
  return listOf(ratelimits).flatMap((binding) => {
    const { name, simple } = isJsonObject(binding) ? binding : {}
    const { limit, period } = isJsonObject(simple) ? simple : {}
    // wrangler refuses a binding without these two
    return isText(name) ? [[name, { limit: Number(limit), period: Number(period) }] as const] : []
  })
}

function readVersionMetadata(all: readonly JsonObject[]): Pick<Bindings, 'versionMetadata'> {
  const [binding] = all.flatMap(({ version_metadata: metadata }) =>
    isJsonObject(metadata) && isText(metadata['binding']) ? [metadata['binding']] : [],
  )
  return binding === undefined ? {} : { versionMetadata: binding }
}

/** What an entrypoint says of its cache goes before what the Worker says; any environment will do. */
function readCaches(all: readonly JsonObject[], name: 'Listings' | 'default'): boolean | null {
  const said = all.flatMap(({ cache, exports }) => {
    const entrypoint = isJsonObject(exports) ? exports[name] : undefined
    const own = isJsonObject(entrypoint) ? readEnabled(entrypoint['cache']) : null
    return own ?? readEnabled(cache) ?? []
  })
  return said.length === 0 ? null : said.includes(true)
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

const needed = ['Handles', 'Hub']

/**
 * Tells which of Helve's Durable Object classes wrangler.toml makes no storage for. Nothing else does
 * so before the first question or handle fails: wrangler starts such a Worker without a word.
 */
function findUndeclaredClasses({ migrations }: JsonObject): readonly string[] {
  const declared = new Set((Array.isArray(migrations) ? migrations : []).flatMap(readClasses))
  return needed.filter((name) => !declared.has(name))
}

// not `new_classes`, whose storage is another one, in which handles cannot be kept
function readClasses(migration: unknown): readonly unknown[] {
  if (!isJsonObject(migration)) return []
  const { new_sqlite_classes: made, renamed_classes: renamed } = migration
  const { transferred_classes: transferred } = migration
  const moved = [renamed, transferred].flatMap((list) => (Array.isArray(list) ? list : []))
  return [
    ...(Array.isArray(made) ? made : []),
    ...moved.map((move) => (isJsonObject(move) ? move['to'] : null)),
  ]
}

/** What workerd calls a module that is not JavaScript, by the extension of its file. */
type ModuleTypes = ReadonlyMap<string, 'text' | 'data' | 'wasm'>

const types = new Map([
  ['Text', 'text'],
  ['Data', 'data'],
  ['CompiledWasm', 'wasm'],
] as const)

/** wrangler's own rules: these need no `[[rules]]`. */
const builtIn: ModuleTypes = new Map([
  ['.txt', 'text'],
  ['.html', 'text'],
  ['.sql', 'text'],
  ['.bin', 'data'],
  ['.wasm', 'wasm'],
])

/** Reads wrangler's `[[rules]]` by the extension that each glob ends in. */
function readModuleRules(rules: readonly unknown[]): ModuleTypes {
  const own = rules.filter(isJsonObject).flatMap(({ type, globs }) => {
    const called = [...types].find(([name]) => name === type)?.[1]
    if (called === undefined || !Array.isArray(globs)) return []
    return globs.flatMap((glob) => {
      const [extension] = /\.\w+$/.exec(String(glob)) ?? []
      return extension === undefined ? [] : [[extension, called] as const]
    })
  })
  return new Map([...builtIn, ...own])
}
