import type { CacheHints, CacheInfo, Outcome } from '../protocol/outcome.ts'

export interface Freshness extends CacheHints {
  /** Milliseconds after `ttlMs` in which the old result is served while a new one is computed. */
  readonly staleMs?: number
  readonly tags?: readonly string[]
  /** How it came through the server's own cache; absent for a result that is not cached. */
  readonly cached?: CacheInfo
  readonly etag?: string
}

/** The same freshness for three readers: an MCP client, an HTTP client, and the server's own cache. */
export interface CacheDirectives {
  /** `ttlMs` and `cacheScope` as JSON text; `ttlMs` is what is left of the time. */
  readonly members: string
  readonly reply: Readonly<Record<string, string>>
  /** The headers with which the server's own cache stores it. */
  readonly stored: Readonly<Record<string, string>>
}

/**
 * Converts freshness to MCP and HTTP in one place, so that the two never disagree: `max-age` less `Age`
 * is `ttlMs` in whole seconds (server/utilities/caching; RFC 9111, 4.2). What is fresh for less than a
 * second is not cached anywhere.
 */
export function toCacheDirectives(freshness: Freshness): CacheDirectives {
  const { ttlMs, cacheScope, staleMs = 0, tags = [], cached, etag } = freshness
  const age = cached?.ageSeconds ?? 0
  const leftMs = Math.max(0, ttlMs - age * 1_000)
  const tagged = tags.length === 0 ? {} : { 'Cache-Tag': tags.join(',') }
  return {
    members: `"ttlMs":${leftMs},"cacheScope":"${cacheScope}"`,
    reply: {
      ...(leftMs < 1_000
        ? noStore
        : { 'Cache-Control': `${cacheScope}, max-age=${toSeconds(ttlMs)}` }),
      ...(leftMs >= 1_000 && age > 0 && { Age: String(age) }),
      ...(cached && { 'Cache-Status': toCacheStatus(cached) }),
      ...(etag !== undefined && { ETag: etag, ...tagged }),
    },
    stored:
      ttlMs < 1_000 ? noStore : { 'Cache-Control': toStoredControl(ttlMs, staleMs), ...tagged },
  }
}

/** The directives of the hints of a list, which are the same object in every request for it. */
const known = new WeakMap<CacheHints, CacheDirectives>()

/** Returns the directives of an outcome; `null` where `no-store` is all there is to say. */
export function toOutcomeDirectives(outcome: Outcome): CacheDirectives | null {
  if (outcome.kind !== 'result') return null
  const { hints, cached } = outcome
  if (cached !== undefined) return toCacheDirectives({ ...notForClients, ...hints, cached })
  if (hints === undefined) return null
  const directives = known.get(hints) ?? toCacheDirectives(hints)
  known.set(hints, directives)
  return directives
}

/** The hints of a result that only the server's own cache stores, such as a tool's. */
const notForClients = { ttlMs: 0, cacheScope: 'private' } as const

export const noStore = { 'Cache-Control': 'no-store' } as const

/** RFC 9211: whether this server had it, and for how many seconds it is, or was, fresh. */
function toCacheStatus({ isHit, ageSeconds, ttlMs }: CacheInfo): string {
  return isHit ? `helve; hit; ttl=${toSeconds(ttlMs) - ageSeconds}` : 'helve; fwd=miss'
}

/**
 * `public` whatever the scope: the platform stores nothing else, and the partition is in the key.
 * Without `stale-if-error` it would serve an old result without end while computing a new one fails.
 */
function toStoredControl(ttlMs: number, staleMs: number): string {
  const stale = toSeconds(staleMs)
  return `public, max-age=${toSeconds(ttlMs)}, stale-while-revalidate=${stale}, stale-if-error=${stale}`
}

function toSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1_000)
}
