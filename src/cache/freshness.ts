import type { CacheHints, Kept, Outcome } from '../protocol/outcome.ts'

/** All that can be said of how long an answer may be kept. */
export interface Freshness extends CacheHints {
  /** Milliseconds after that for which an old answer will do while a new one is made. */
  readonly staleMs?: number
  /** What it is purged by. */
  readonly tags?: readonly string[]
  /** There where it came through the server's own cache. */
  readonly kept?: Kept
  /** The `ETag` of a document. */
  readonly etag?: string
}

/** The same three times: for the body, for whoever asked, and for the server's own cache. */
export interface Caching {
  /** `ttlMs` and `cacheScope`, as JSON text: what is left of the time. */
  readonly members: string
  /** The headers of the reply to a client. */
  readonly reply: Readonly<Record<string, string>>
  /** The headers under which the server's own cache stores it. */
  readonly stored: Readonly<Record<string, string>>
}

/**
 * Says how long an answer is fresh and for whom, in MCP and in HTTP, so that the two never disagree:
 * `max-age` less `Age` is `ttlMs` in whole seconds (server/utilities/caching; RFC 9111, 4.2). What is
 * not fresh for a whole second is not kept by anybody.
 */
export function toCaching(freshness: Freshness): Caching {
  const { ttlMs, cacheScope, staleMs = 0, tags = [], kept, etag } = freshness
  const age = kept?.age ?? 0
  const left = Math.max(0, ttlMs - age * 1000)
  const tagged = tags.length === 0 ? {} : { 'Cache-Tag': tags.join(',') }
  return {
    members: `"ttlMs":${left},"cacheScope":"${cacheScope}"`,
    reply: {
      ...(left < 1000
        ? noStore
        : { 'Cache-Control': `${cacheScope}, max-age=${toSeconds(ttlMs)}` }),
      ...(left >= 1000 && age > 0 && { Age: String(age) }),
      ...(kept && { 'Cache-Status': toCacheStatus(kept) }),
      ...(etag !== undefined && { ETag: etag, ...tagged }),
    },
    stored: ttlMs < 1000 ? noStore : { 'Cache-Control': toStored(ttlMs, staleMs), ...tagged },
  }
}

/** What is said of the hints of a list, which are the same object in each request for it. */
const known = new WeakMap<CacheHints, Caching>()

/** The same of an outcome; `null` where nothing is to be said beyond `no-store`. */
export function toOutcomeCaching(outcome: Outcome): Caching | null {
  if (outcome.kind !== 'result') return null
  const { cache, kept } = outcome
  if (kept !== undefined) return toCaching({ ...unkept, ...cache, kept })
  if (cache === undefined) return null
  const caching = known.get(cache) ?? toCaching(cache)
  known.set(cache, caching)
  return caching
}

const unkept = { ttlMs: 0, cacheScope: 'private' } as const

export const noStore = { 'Cache-Control': 'no-store' } as const

/** RFC 9211: whether this server had it, and for how many seconds it still is, or was, fresh. */
function toCacheStatus({ isHit, age, ttlMs }: Kept): string {
  return isHit ? `helve; hit; ttl=${toSeconds(ttlMs) - age}` : 'helve; fwd=miss'
}

/**
 * `public` whatever the scope: the platform stores nothing else, and the audience is in the key. With
 * no word on errors it would go on serving an old answer without end while new ones fail.
 */
function toStored(ttlMs: number, staleMs: number): string {
  const stale = toSeconds(staleMs)
  return `public, max-age=${toSeconds(ttlMs)}, stale-while-revalidate=${stale}, stale-if-error=${stale}`
}

function toSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}
