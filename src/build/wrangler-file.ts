import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { type JsonObject, isJsonObject } from '../protocol/json.ts'
import { CliError, toErrorMessage } from './errors.ts'

/** In the order in which wrangler looks for them. */
const names = ['wrangler.json', 'wrangler.jsonc', 'wrangler.toml']

/** Returns the path of a project's configuration; that of wrangler.toml if there is none. */
export function findWranglerFile(root: string): string {
  const found = names.find((name) => existsSync(join(root, name)))
  return resolve(root, found ?? 'wrangler.toml')
}

/**
 * Reads a configuration with wrangler's own reader, so that TOML and JSON mean here what they mean there.
 *
 * Loading wrangler takes longer than all the rest of a build, and the configuration seldom changes: what
 * was read is kept in `cacheFolder`, with its text.
 *
 * @throws {CliError} if the file is missing or does not parse, or if wrangler is not installed.
 */
export async function readWranglerFile(path: string, cacheFolder: string): Promise<JsonObject> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new CliError(
      `${basename(path)} was not found. Run helve in its folder, or pass its path with --config.`,
    )
  })
  const cache = join(cacheFolder, 'wrangler-config.json')
  const known = await readCache(cache)
  if (known['path'] === path && known['text'] === text && isJsonObject(known['config'])) {
    return known['config']
  }
  const config = await parseWithWrangler(path)
  // a folder that cannot be written costs time, and is reported where the registry is written
  await mkdir(cacheFolder, { recursive: true })
    .then(() => writeFile(cache, JSON.stringify({ path, text, config })))
    .catch(() => {})
  return config
}

async function readCache(path: string): Promise<JsonObject> {
  try {
    const cached: unknown = JSON.parse(await readFile(path, 'utf8'))
    return isJsonObject(cached) ? cached : {}
  } catch {
    return {}
  }
}

/** Reads a configuration; see {@link readWranglerFile}, which also caches it. */
export async function parseWithWrangler(path: string): Promise<JsonObject> {
  const read = await loadReader()
  try {
    const { rawConfig } = Object(read({ config: path }))
    // a date of TOML is an object here, and would be a text once it is read from the cache
    const config: unknown = JSON.parse(JSON.stringify(rawConfig))
    return isJsonObject(config) ? config : {}
  } catch (error) {
    const { text, location } = Object(error)
    const message = typeof text === 'string' ? text : toErrorMessage(error)
    const place = isJsonObject(location) ? `:${String(location['line'])}` : ''
    throw new CliError(`${basename(path)}${place}: ${message}`)
  }
}

type ReadRawConfig = (options: { readonly config: string }) => unknown

async function loadReader(): Promise<ReadRawConfig> {
  // not a literal: the compiler would read the types of wrangler, which are as large as it is
  const specifier: string = 'wrangler'
  const wrangler: unknown = await import(specifier).catch(() => null)
  const read: unknown = Object(wrangler).experimental_readRawConfig
  if (isReader(read)) return read
  throw new CliError(
    'wrangler is missing or too old: the build reads the configuration with it. Run ' +
      '`npm install --save-dev wrangler@4`.',
  )
}

function isReader(value: unknown): value is ReadRawConfig {
  return typeof value === 'function'
}
