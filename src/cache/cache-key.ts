import type { Caller } from '../protocol/caller.ts'
import { type JsonObject, isJsonObject, isTexts } from '../protocol/json.ts'
import { toCanonicalJson } from '../util/digest.ts'

/** A request whose answer may be kept: its method, and the parameters that the answer depends on. */
export type CacheableRequest =
  | { readonly method: 'resources/list'; readonly cursor: string | undefined }
  | { readonly method: 'resources/read'; readonly uri: string }
  | { readonly method: 'tools/call'; readonly name: string; readonly input: JsonObject }

// the host is a part of no key, and no request ever leaves for it
const origin = 'https://listings.invalid/'

/** Characters that a URL may have and still be stored; longer arguments hardly come twice. */
export const maxCacheUrlLength = 8_192

/**
 * The URL that an answer is kept under: equal for equal parameters, however they were written
 * (server/utilities/caching, "Cache Key").
 *
 * @throws {TypeError} for what no JSON text could have brought: half a character, which a URL would
 * turn into another one, or a number that is none.
 */
export function toCacheUrl(lookup: CacheableRequest): string {
  const params = toParams(lookup)
  if (!Object.values(params).every((param) => param.isWellFormed())) {
    throw new TypeError('A parameter has half a surrogate pair.')
  }
  return `${origin}${lookup.method}?${new URLSearchParams(params).toString()}`
}

/** Reads what {@link toCacheUrl} made, to the letter; `null` for anything else. */
export function readCacheUrl(url: string): CacheableRequest | null {
  const lookup = readParams(new URL(url))
  return lookup !== null && toCacheUrl(lookup) === url ? lookup : null
}

function readParams({ pathname, searchParams }: URL): CacheableRequest | null {
  switch (pathname) {
    case '/resources/list':
      return { method: 'resources/list', cursor: searchParams.get('cursor') ?? undefined }
    case '/resources/read': {
      const uri = searchParams.get('uri')
      return uri === null ? null : { method: 'resources/read', uri }
    }
    case '/tools/call': {
      const name = searchParams.get('name')
      const input = readJson(searchParams.get('arguments'))
      return name === null || input === null ? null : { method: 'tools/call', name, input }
    }
    default:
      return null
  }
}

function toParams(lookup: CacheableRequest): Record<string, string> {
  switch (lookup.method) {
    case 'resources/list':
      return lookup.cursor === undefined ? {} : { cursor: lookup.cursor }
    case 'resources/read':
      return { uri: lookup.uri }
    case 'tools/call':
      return { name: lookup.name, arguments: toCanonicalJson(lookup.input) }
  }
}

function readJson(text: string | null): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return isJsonObject(value) ? value : null
  } catch {
    return null
  }
}

/**
 * What an answer may depend on besides its method and its parameters. It is a part of the key, and it
 * is all that the answer is made from: what is not in here cannot get into what others are sent.
 */
export interface CachePartition {
  /**
   * Who asks, all of it, as an author's code may look at all of it; `null` for nobody. Not there where
   * the code is not told.
   */
  readonly caller?: Caller | null
  /** The names or URIs of what this caller may have and not everybody may. */
  readonly visible?: readonly string[]
}

/** What of a registry's entry decides for whom its answers are. */
export interface PartitionedEntry {
  /** The name of a tool, or the URI of a resource. */
  readonly key: string
  readonly shared: boolean
  /** Everybody may have it. */
  readonly isOpen: boolean
}

/** The audience of what is the same for everybody who may have it, or is made for one caller. */
export function toPartition(
  { key, shared, isOpen }: PartitionedEntry,
  caller: Caller | null,
): CachePartition {
  return { ...(!shared && { caller }), ...(!isOpen && { visible: [key] }) }
}

/**
 * Whether an audience is one that {@link toPartition} makes for an entry. Another Worker of the account
 * may ask the cached entrypoint, too, and nothing has decided by then what it may have.
 */
export function isPartitionOf(
  { caller, visible = [] }: CachePartition,
  entry: PartitionedEntry,
): boolean {
  return (caller === undefined) === entry.shared && (entry.isOpen || visible.includes(entry.key))
}

/**
 * What an audience is once it was a key: claims may have in them what no key can tell apart, such as a
 * `Set`. `null` where it then is none.
 */
export function toPlainPartition(audience: CachePartition): CachePartition | null {
  return readPartition(JSON.parse(JSON.stringify(audience)))
}

/** Reads an audience that came as `ctx.props`; `null` for anything else. */
export function readPartition(props: unknown): CachePartition | null {
  if (!isJsonObject(props)) return null
  const { caller, visible } = props
  if (caller !== undefined && caller !== null && !isCaller(caller)) return null
  if (visible !== undefined && !isTexts(visible)) return null
  return { ...(caller !== undefined && { caller }), ...(visible !== undefined && { visible }) }
}

function isCaller(value: unknown): value is Caller {
  if (!isJsonObject(value)) return false
  const { subject, issuer, client, scopes, claims, expires } = value
  return (
    typeof subject === 'string' &&
    [issuer, client].every((text) => text === undefined || typeof text === 'string') &&
    isTexts(scopes) &&
    isJsonObject(claims) &&
    (expires === undefined || typeof expires === 'number')
  )
}
