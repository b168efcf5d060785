/*
 * How long a response may be stored, by its headers: the pages "Configuration" and "Limitations" of
 * https://developers.cloudflare.com/workers/cache/, and RFC 9111 for what they do not cover.
 */

export interface StorageVerdict {
  readonly isStored: true
  /** Seconds for which it is fresh; 0 if it must be revalidated for each request. */
  readonly ttl: number
  /** Seconds after that in which it is served while the callee runs in the background. */
  readonly staleWhileRevalidate: number
  /** Seconds after that in which it is served if the callee fails; without limit by default. */
  readonly staleIfError: number
  /** Headers that are not stored, as `private="set-cookie"` requires. */
  readonly withheld: readonly string[]
}

export interface NoStorageVerdict {
  readonly isStored: false
  readonly status: 'BYPASS' | 'DYNAMIC' | 'MISS'
}

/** Seconds for which a status is stored without `Cache-Control` and `Expires`. */
const defaultTtls: Readonly<Record<number, number>> = {
  200: 7200,
  203: 7200,
  204: 7200,
  300: 1200,
  301: 1200,
  404: 180,
  405: 60,
  410: 180,
  414: 60,
  501: 60,
}

const strict = ['s-maxage', 'must-revalidate', 'proxy-revalidate']

/** Directives by name. Those without a value have an empty one. */
type Directives = ReadonlyMap<string, string>

/** Decides whether a response may be stored, and how long it is fresh and stale. */
export function judge(
  request: Request,
  { status, headers }: { readonly status: number; readonly headers: Headers },
  now: number,
): StorageVerdict | NoStorageVerdict {
  if (isNeverStored(status)) return { isStored: false, status: 'MISS' }
  const text = findGoverning(request, headers)
  const directives = readDirectives(text)
  const withheld = [...readFields(directives, 'private'), ...readFields(directives, 'no-cache')]
  if (isBypass(request, headers, directives, withheld)) return { isStored: false, status: 'BYPASS' }
  const ttl = toTtl(status, headers, directives, now)
  // no page has the status of an ineligible response; DYNAMIC is from "Cache responses"
  if (ttl === null) return { isStored: false, status: 'DYNAMIC' }
  const isStrict = strict.some((name) => directives.has(name))
  const staleIfError = readSeconds(directives, 'stale-if-error') ?? Infinity
  return {
    isStored: true,
    ttl: directives.get('no-cache') === '' ? 0 : ttl,
    staleWhileRevalidate: isStrict ? 0 : (readSeconds(directives, 'stale-while-revalidate') ?? 0),
    staleIfError: isStrict ? 0 : staleIfError,
    withheld,
  }
}

/** "Limitations", "Status codes that are never cached"; a 304 has nothing to store, either. */
function isNeverStored(status: number): boolean {
  return status < 200 || status === 206 || status === 304 || (status >= 520 && status <= 526)
}

/** "Header precedence"; `cf.cacheControl` of the caller goes before all of them. */
function findGoverning({ cf }: Request, headers: Headers): string {
  return (
    (typeof cf?.cacheControl === 'string' && cf.cacheControl) ||
    headers.get('cloudflare-cdn-cache-control') ||
    headers.get('cdn-cache-control') ||
    headers.get('cache-control') ||
    ''
  )
}

function readDirectives(text: string): Directives {
  const found = text.toLowerCase().matchAll(/([\w-]+)(?:\s*=\s*(?:"([^"]*)"|([^\s,]*)))?/g)
  return new Map([...found].map(([, name = '', quoted, plain = '']) => [name, quoted ?? plain]))
}

/** Reads the headers that `private` or `no-cache` names: the directive is then only about them. */
function readFields(directives: Directives, name: string): readonly string[] {
  return (directives.get(name) ?? '').split(/[\s,]+/).filter((field) => field !== '')
}

function readSeconds(directives: Directives, name: string): number | undefined {
  const text = directives.get(name)
  // RFC 9111, 4.2.1: a value that is not a number makes a response stale
  return text === undefined ? undefined : /^\d+$/.test(text) ? Number(text) : 0
}

/** "Automatic bypass conditions" and "Vary". */
function isBypass(
  request: Request,
  headers: Headers,
  directives: Directives,
  withheld: readonly string[],
): boolean {
  const isShared = ['public', 'must-revalidate', 's-maxage'].some((name) => directives.has(name))
  return (
    directives.has('no-store') ||
    directives.get('private') === '' ||
    (headers.has('set-cookie') && !withheld.includes('set-cookie')) ||
    (headers.get('vary') ?? '').includes('*') ||
    (request.headers.has('authorization') && !isShared)
  )
}

/** Seconds of freshness, or `null` for what is not to be stored. */
function toTtl(
  status: number,
  headers: Headers,
  directives: Directives,
  now: number,
): number | null {
  const seconds = readSeconds(directives, 's-maxage') ?? readSeconds(directives, 'max-age')
  if (seconds !== undefined) return seconds
  const expires = headers.get('expires')
  // the page "CDN-Cache-Control": beside the two of that name, `Expires` is only for browsers
  const isForCdn = headers.has('cloudflare-cdn-cache-control') || headers.has('cdn-cache-control')
  // RFC 9111, 5.3: what is no date has expired
  if (expires !== null && !isForCdn) return Math.max(0, (Date.parse(expires) - now) / 1000 || 0)
  const byDefault = defaultTtls[status]
  if (directives.size === 0) return byDefault ?? null
  // the defaults do not apply beside a directive, even one that says nothing of the time
  return byDefault !== undefined || directives.has('public') ? 0 : null
}
