import type { Outcome } from '../protocol/outcome.ts'
import type { WorkerLog } from '../out/log.ts'
import {
  type Audience,
  type Lookup,
  maxLookupUrl,
  toLookupUrl,
  toPlainAudience,
} from './cache-key.ts'

/** A place where results are cached. */
export interface Store {
  /** The result, from there or new; `null` where this Worker has no such place. */
  get(url: string, wanted: Wanted, site: CacheSite): Promise<Outcome | null>
}

/**
 * Returns a result from the cache, or has it made. Where it cannot be cached, or where the cache is out of
 * reach, it is made as the cache would make it: from its key alone, so that nothing works here that
 * would not work there.
 */
export async function readThrough(
  { lookup, audience: given, keeping }: Wanted,
  store: Store | null,
  fill: Fill,
  site: CacheSite,
): Promise<Outcome> {
  const url = toLookupUrl(lookup)
  const audience = toPlainAudience(given)
  const mayCache = keeping.ttlMs >= 1000 && url.length <= maxLookupUrl && audience !== null
  try {
    const found = mayCache ? await store?.get(url, { lookup, audience, keeping }, site) : null
    if (found) return found
  } catch (error) {
    site.log.error('cache', error)
  }
  const filled = await fill(url, audience ?? given, site)
  if (filled !== null) return filled.outcome
  throw new TypeError(`Nothing is cached for ${lookup.method}.`)
}

/** How long an answer is kept, and what it is purged by. */
export interface Keeping {
  readonly ttlMs: number
  /** Milliseconds after that for which an old answer will do while a new one is made. */
  readonly staleMs: number
  readonly tags: readonly string[]
}

/** An answer that may be kept, once it is there. */
export interface Filled {
  readonly outcome: Outcome
  readonly keeping: Keeping
}

/** Where a result is made: no more of the request than what is the same for every request. */
export interface FillSite {
  readonly env: Cloudflare.Env
  readonly exports: unknown
  waitUntil(work: Promise<unknown>): void
}

/** Where a result is read. */
export interface CacheSite extends FillSite {
  readonly log: WorkerLog
}

/**
 * Makes an answer from its key alone, which is a URL of `toLookupUrl` and an audience. `null` where
 * nothing is kept by that key: it may come from outside the isolate.
 */
export type Fill = (url: string, audience: Audience, site: FillSite) => Promise<Filled | null>

/** An answer that somebody wants, kept or new. */
export interface Wanted {
  readonly lookup: Lookup
  readonly audience: Audience
  readonly keeping: Keeping
}
