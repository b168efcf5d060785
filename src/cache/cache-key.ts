import type { Caller } from '../protocol/caller.ts'
import { type JsonObject, isJsonObject, isTextList } from '../protocol/json.ts'
import { toCanonicalJson } from '../util/digest.ts'

/** A request whose result may be cached: its method, and the parameters that the result depends on. */
export type CacheableRequest =
  | { readonly method: 'resources/list'; readonly cursor: string | undefined }
  | { readonly method: 'resources/read'; readonly uri: string }
  | { readonly method: 'tools/call'; readonly name: string; readonly input: JsonObject }

// no key contains the host, and no request is ever sent to it
const origin = 'https://listings.invalid/'

/** Longer requests are not cached: they are hardly ever sent twice. */
export const maxCacheUrlLength = 8_192

/**
 * Converts a request to the URL under which its result is cached. Equal parameters have the same URL,
 * however they were written (server/utilities/caching, "Cache Key").
 *
 * @throws {TypeError} for what cannot come from JSON: half a surrogate pair, which a URL would replace,
 * or a number that is not finite.
 */
export function toCacheUrl(request: CacheableRequest): string {
  const params = toParams(request)
  if (!Object.values(params).every((param) => param.isWellFormed())) {
    throw new TypeError('A parameter has half a surrogate pair.')
  }
  return `${origin}${request.method}?${new URLSearchParams(params).toString()}`
}

/** Reads a URL exactly as {@link toCacheUrl} writes it; `null` for any other. */
export function readCacheUrl(url: string): CacheableRequest | null {
  const request = readParams(new URL(url))
  return request !== null && toCacheUrl(request) === url ? request : null
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

function toParams(request: CacheableRequest): Record<string, string> {
  switch (request.method) {
    case 'resources/list':
      return request.cursor === undefined ? {} : { cursor: request.cursor }
    case 'resources/read':
      return { uri: request.uri }
    case 'tools/call':
      return { name: request.name, arguments: toCanonicalJson(request.input) }
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
 * What a result may depend on besides its method and parameters: the second part of the cache key. A
 * result is computed from its key alone, so nothing else about the caller can get into it.
 */
export interface CachePartition {
  /**
   * The whole caller, since an author's code may use all of it; `null` for an anonymous caller. Absent
   * where the code does not get the caller.
   */
  readonly caller?: Caller | null
  /** The names or URIs of the entries that this caller may see and not all callers may. */
  readonly visible?: readonly string[]
}

export interface PartitionedEntry {
  readonly key: string
  readonly shared: boolean
  readonly isOpen: boolean
}

/** Returns the partition of an entry's results for a caller who may see the entry. */
export function toPartition(
  { key, shared, isOpen }: PartitionedEntry,
  caller: Caller | null,
): CachePartition {
  return { ...(!shared && { caller }), ...(!isOpen && { visible: [key] }) }
}

/**
 * Returns whether {@link toPartition} could have returned this partition for the entry. Other Workers
 * of the account can call the cached entrypoint too, and nothing has checked what they may see.
 */
export function isPartitionOf(
  { caller, visible = [] }: CachePartition,
  entry: PartitionedEntry,
): boolean {
  return (caller === undefined) === entry.shared && (entry.isOpen || visible.includes(entry.key))
}

/**
 * Round-trips a partition through JSON, so that code sees exactly what the cache key distinguishes: a
 * claim may be a `Set`, whose members are not in any key. `null` if it is not a partition afterwards.
 */
export function toPlainPartition(partition: CachePartition): CachePartition | null {
  return readPartition(JSON.parse(JSON.stringify(partition)))
}

/** Reads a partition from `ctx.props`; `null` for anything else. */
export function readPartition(props: unknown): CachePartition | null {
  if (!isJsonObject(props)) return null
  const { caller, visible } = props
  if (caller !== undefined && caller !== null && !isCaller(caller)) return null
  if (visible !== undefined && !isTextList(visible)) return null
  return { ...(caller !== undefined && { caller }), ...(visible !== undefined && { visible }) }
}

/** Whether a value is a caller, as JSON has carried it. */
export function isCaller(value: unknown): value is Caller {
  if (!isJsonObject(value)) return false
  const { subject, issuer, client, scopes, claims, expires } = value
  return (
    typeof subject === 'string' &&
    [issuer, client].every((text) => text === undefined || typeof text === 'string') &&
    isTextList(scopes) &&
    isJsonObject(claims) &&
    (expires === undefined || typeof expires === 'number')
  )
}
