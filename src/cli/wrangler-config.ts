import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { parse } from 'smol-toml'
import type { RateWindow } from '../kit/rate-window.ts'
import type { Bindings } from '../registry/registry.ts'
import { isJsonObject, type JsonObject } from '../wire/json.ts'
import { CliError } from './cli-error.ts'
import { findUndeclaredClasses } from './durable-classes.ts'
import { toErrorMessage } from './error-message.ts'
import { readModuleRules, type ModuleTypes } from './module-types.ts'

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
