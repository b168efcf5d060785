import type { StorageVerdict } from './policy.ts'
import type { StoredEntry } from './store.ts'

/*
 * Conversions between the requests and responses of callers, those of callees, and stored entries.
 */

/** The values of `Cf-Cache-Status`. */
export type CacheStatus =
  | 'HIT'
  | 'MISS'
  | 'EXPIRED'
  | 'REVALIDATED'
  | 'UPDATING'
  | 'STALE'
  | 'BYPASS'
  | 'DYNAMIC'

/** Returns the request to the callee: a GET for the whole, with the validators of the entry. */
export function toFillRequest(request: Request, entry: StoredEntry | undefined): Request {
  const headers = new Headers(request.headers)
  // the cache answers ranges and conditions: a 304 to the caller's condition could not be stored
  for (const name of ['range', 'if-range', 'if-none-match', 'if-modified-since']) {
    headers.delete(name)
  }
  const etag = entry?.headers.get('etag')
  const modified = entry?.headers.get('last-modified')
  if (etag) headers.set('If-None-Match', etag)
  if (modified) headers.set('If-Modified-Since', modified)
  // without the signal, since others wait for the response, too
  const { url, cf = {} } = request
  return new Request(url, { method: 'GET', headers, cf, redirect: 'manual' })
}

export function hasCondition({ headers }: Request): boolean {
  return headers.has('if-none-match') || headers.has('if-modified-since')
}

/** Converts a response to an entry. */
export function toEntry(
  { status, statusText, headers }: Pick<StoredEntry, 'status' | 'statusText' | 'headers'>,
  body: ArrayBuffer | null,
  verdict: StorageVerdict,
  request: Request,
  now: number,
): StoredEntry {
  const stored = new Headers(headers)
  for (const name of verdict.withheld) stored.delete(name)
  // RFC 9111, 4.2.3: the time in another cache counts
  const bornAt = now - (Number(stored.get('age')) || 0) * 1000
  return {
    status,
    statusText,
    headers: stored,
    body,
    varied: readVaried(stored, request),
    bornAt,
    freshUntil: bornAt + verdict.ttl * 1000,
    staleWhileRevalidateMs: verdict.staleWhileRevalidate * 1000,
    staleIfErrorMs: verdict.staleIfError * 1000,
  }
}

function readVaried(headers: Headers, request: Request): ReadonlyMap<string, string | null> {
  const names = (headers.get('vary') ?? '').split(',').map((name) => name.trim().toLowerCase())
  return new Map(names.filter(Boolean).map((name) => [name, request.headers.get(name)]))
}

/** Returns the headers of an entry after a 304 (RFC 9111, 3.2). */
export function toRenewedHeaders(stored: Headers, sent: Headers): Headers {
  const headers = new Headers(stored)
  headers.delete('age')
  for (const [name, value] of sent) if (name !== 'content-length') headers.set(name, value)
  return headers
}

/** Converts an entry to the response to a request. */
export function toEntryResponse(entry: StoredEntry, request: Request, now: number): Response {
  const headers = new Headers(entry.headers)
  headers.set('Age', String(Math.max(0, Math.floor((now - entry.bornAt) / 1000))))
  if (isUnchangedFor(entry, request)) return new Response(null, { status: 304, headers })
  return new Response(entry.body, { status: entry.status, statusText: entry.statusText, headers })
}

function toStrong(tag: string): string {
  return tag.trim().replace(/^W\//, '')
}

/** Returns whether the caller already has the entry (RFC 9111, 4.3.2). */
function isUnchangedFor({ status, headers }: StoredEntry, request: Request): boolean {
  const etag = headers.get('etag')
  const known = request.headers.get('if-none-match')
  if (status !== 200 || etag === null || known === null) return false
  return known.trim() === '*' || known.split(',').map(toStrong).includes(toStrong(etag))
}

/** Returns what a caller gets: "Response headers" on the page "Configuration". */
export function toCallerResponse(
  response: Response,
  request: Request,
  status: CacheStatus,
): Response {
  // a copy, because the headers of a fetched response are immutable
  const sent = new Response(request.method === 'HEAD' ? null : response.body, response)
  sent.headers.delete('Cache-Tag')
  sent.headers.delete('cloudflare-cdn-cache-control')
  sent.headers.set('Cf-Cache-Status', status)
  return sent
}
