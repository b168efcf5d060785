import type { CacheHints, CacheInfo, Outcome } from '../protocol/outcome.ts'

/** All that can be said of how long an answer may be kept. */
export interface Freshness extends CacheHints {
  /** Milliseconds after that for which an old answer will do while a new one is made. */
  readonly staleMs?: number
  /** What it is purged by. */
  readonly tags?: readonly string[]
  /** There where it came through the server's own cache. */
  readonly cached?: CacheInfo
  /** The `ETag` of a document. */
  readonly etag?: string
}

/** The same three times: for the body, for whoever asked, and for the server's own cache. */
export interface CacheDirectives {
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
export function toCacheDirectives(freshness: Freshness): CacheDirectives {
  const { ttlMs, cacheScope, staleMs = 0, tags = [], cached, etag } = freshness
  const age = cached?.ageSeconds ?? 0
  const left = Math.max(0, ttlMs - age * 1000)
  const tagged = tags.length === 0 ? {} : { 'Cache-Tag': tags.join(',') }
  return {
    members: `"ttlMs":${left},"cacheScope":"${cacheScope}"`,
    reply: {
      ...(left < 1000
        ? noStore
        : { 'Cache-Control': `${cacheScope}, max-age=${toSeconds(ttlMs)}` }),
      ...(left >= 1000 && age > 0 && { Age: String(age) }),
      ...(cached && { 'Cache-Status': toCacheStatus(cached) }),
      ...(etag !== undefined && { ETag: etag, ...tagged }),
    },
    stored: ttlMs < 1000 ? noStore : { 'Cache-Control': toStored(ttlMs, staleMs), ...tagged },
  }
}

/** What is said of the hints of a list, which are the same object in each request for it. */
const known = new WeakMap<CacheHints, CacheDirectives>()

/** The same of an outcome; `null` where nothing is to be said beyond `no-store`. */
export function toOutcomeDirectives(outcome: Outcome): CacheDirectives | null {
  if (outcome.kind !== 'result') return null
  const { hints, cached } = outcome
  if (cached !== undefined) return toCacheDirectives({ ...unkept, ...hints, cached })
  if (hints === undefined) return null
  const caching = known.get(hints) ?? toCacheDirectives(hints)
  known.set(hints, caching)
  return caching
}

const unkept = { ttlMs: 0, cacheScope: 'private' } as const

export const noStore = { 'Cache-Control': 'no-store' } as const

/** RFC 9211: whether this server had it, and for how many seconds it still is, or was, fresh. */
function toCacheStatus({ isHit, ageSeconds, ttlMs }: CacheInfo): string {
  return isHit ? `helve; hit; ttl=${toSeconds(ttlMs) - ageSeconds}` : 'helve; fwd=miss'
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
