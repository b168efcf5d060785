import type { Purged } from '../define/contexts.ts'
import type { WorkerLog } from '../out/log.ts'
import type { Outcome } from '../protocol/outcome.ts'
import {
  type CacheableRequest,
  type CachePartition,
  maxCacheUrlLength,
  toCacheUrl,
  toPlainPartition,
} from './cache-key.ts'

/** A result to look up, and how it is stored if it is computed now. */
export interface CacheLookup {
  readonly request: CacheableRequest
  readonly partition: CachePartition
  readonly lifetime: CacheLifetime
}

/** How long a result is cached, and the tags by which it is purged. */
export interface CacheLifetime {
  readonly ttlMs: number
  /** Milliseconds after `ttlMs` in which the old result is served while a new one is computed. */
  readonly staleMs: number
  readonly tags: readonly string[]
}

export interface CacheStore {
  /** Returns a cached or a new result; `null` if this Worker does not have the store. */
  get(url: string, lookup: CacheLookup, context: CacheContext): Promise<Outcome | null>
  purge(what: Purged | 'everything', exports: unknown): Promise<void>
}

/** What a result is computed with: only what is the same for every request. */
export interface ComputeContext {
  readonly env: Cloudflare.Env
  readonly exports: unknown
  waitUntil(work: Promise<unknown>): void
}

export interface CacheContext extends ComputeContext {
  readonly log: WorkerLog
}

export interface ComputedResult {
  readonly outcome: Outcome
  readonly lifetime: CacheLifetime
}

/**
 * Computes a result from its key alone: a URL of `toCacheUrl` and a partition. Returns `null` for a key
 * under which nothing is cached, since keys may come from outside the isolate.
 */
export type ComputeResult = (
  url: string,
  partition: CachePartition,
  context: ComputeContext,
) => Promise<ComputedResult | null>

/**
 * Returns a result from the store, or computes it. A result that cannot be cached, or whose store cannot
 * be reached, is computed from its key all the same, so that nothing works only without a cache.
 */
export async function readThrough(
  lookup: CacheLookup,
  store: CacheStore | null,
  compute: ComputeResult,
  context: CacheContext,
): Promise<Outcome> {
  const { request, lifetime } = lookup
  const url = toCacheUrl(request)
  const partition = toPlainPartition(lookup.partition)
  if (partition !== null && lifetime.ttlMs >= 1_000 && url.length <= maxCacheUrlLength) {
    try {
      const found = await store?.get(url, { request, partition, lifetime }, context)
      if (found) return found
    } catch (error) {
      context.log.error('cache', error)
    }
  }
  const computed = await compute(url, partition ?? lookup.partition, context)
  if (computed === null) throw new TypeError(`Nothing is cached for ${request.method}.`)
  return computed.outcome
}
