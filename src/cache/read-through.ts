import type { Outcome } from '../protocol/outcome.ts'
import type { WorkerLog } from '../out/log.ts'
import {
  type CachePartition,
  type CacheableRequest,
  maxCacheUrlLength,
  toCacheUrl,
  toPlainPartition,
} from './cache-key.ts'

/** A place where results are cached. */
export interface CacheStore {
  /** The result, from there or new; `null` where this Worker has no such place. */
  get(url: string, wanted: CacheLookup, site: CacheContext): Promise<Outcome | null>
}

/**
 * Returns a result from the cache, or has it made. Where it cannot be cached, or where the cache is out of
 * reach, it is made as the cache would make it: from its key alone, so that nothing works here that
 * would not work there.
 */
export async function readThrough(
  { request, partition: given, lifetime }: CacheLookup,
  store: CacheStore | null,
  fill: ComputeResult,
  site: CacheContext,
): Promise<Outcome> {
  const url = toCacheUrl(request)
  const audience = toPlainPartition(given)
  const mayCache = lifetime.ttlMs >= 1000 && url.length <= maxCacheUrlLength && audience !== null
  try {
    const found = mayCache
      ? await store?.get(url, { request, partition: audience, lifetime }, site)
      : null
    if (found) return found
  } catch (error) {
    site.log.error('cache', error)
  }
  const filled = await fill(url, audience ?? given, site)
  if (filled !== null) return filled.outcome
  throw new TypeError(`Nothing is cached for ${request.method}.`)
}

/** How long an answer is kept, and what it is purged by. */
export interface CacheLifetime {
  readonly ttlMs: number
  /** Milliseconds after that for which an old answer will do while a new one is made. */
  readonly staleMs: number
  readonly tags: readonly string[]
}

/** An answer that may be kept, once it is there. */
export interface ComputedResult {
  readonly outcome: Outcome
  readonly lifetime: CacheLifetime
}

/** Where a result is made: no more of the request than what is the same for every request. */
export interface ComputeContext {
  readonly env: Cloudflare.Env
  readonly exports: unknown
  waitUntil(work: Promise<unknown>): void
}

/** Where a result is read. */
export interface CacheContext extends ComputeContext {
  readonly log: WorkerLog
}

/**
 * Makes an answer from its key alone, which is a URL of `toLookupUrl` and an audience. `null` where
 * nothing is kept by that key: it may come from outside the isolate.
 */
export type ComputeResult = (
  url: string,
  audience: CachePartition,
  site: ComputeContext,
) => Promise<ComputedResult | null>

/** An answer that somebody wants, kept or new. */
export interface CacheLookup {
  readonly request: CacheableRequest
  readonly partition: CachePartition
  readonly lifetime: CacheLifetime
}
