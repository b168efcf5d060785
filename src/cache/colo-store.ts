import type { Purged } from '../define/contexts.ts'
import type { Outcome } from '../protocol/outcome.ts'
import { toDigest } from '../util/digest.ts'
import { type PurgeTimes, toPurgeTags } from './purge.ts'
import type { CacheContext, CacheLookup, CacheStore, ComputeResult } from './read-through.ts'
import {
  type CachedResult,
  isGone,
  isStorable,
  readStoredResponse,
  toCachedOutcome,
  toStoredResponse,
} from './stored-response.ts'

/** Returns what distinguishes this deploy from every other; `null` if nothing does. */
export type ReadVersion = (env: object) => string | null

/**
 * Caches results in the Cache API of the data centre, for Workers without Workers Cache. The Cache API
 * has no versions, partitions, stale results, request collapsing or purges, so all of that is here.
 */
export class ColoStore implements CacheStore {
  readonly #compute: ComputeResult
  readonly #readVersion: ReadVersion
  readonly #purges: PurgeTimes
  // an error and its id belong to the caller that met it
  readonly #collapser = new RequestCollapser<CachedResult>(({ outcome }) => isStorable(outcome))

  constructor(compute: ComputeResult, readVersion: ReadVersion, purges: PurgeTimes) {
    this.#compute = compute
    this.#readVersion = readVersion
    this.#purges = purges
  }

  async get(url: string, lookup: CacheLookup, context: CacheContext): Promise<Outcome | null> {
    const version = this.#readVersion(context.env)
    if (version === null) return null
    const { ttlMs, staleMs, tags } = lookup.lifetime
    const key = await toKey(url, lookup, version)
    const cache = await caches.open('helve')
    const purgedAt = this.#purges.last(tags)
    const refresh = (): Promise<CachedResult> =>
      this.#collapser.run(
        // with the purge in it: a request after a purge must not wait for a result begun before it
        `${purgedAt} ${key}`,
        (work) => context.waitUntil(work),
        () => this.#refresh(cache, key, url, lookup, context),
      )

    const found = await find(cache, key)
    const ageMs = found === null ? Infinity : Date.now() - found.madeAt
    if (found === null || found.madeAt <= purgedAt || ageMs >= ttlMs + staleMs) {
      return toCachedOutcome(await refresh(), false, ttlMs)
    }
    if (ageMs >= ttlMs) {
      context.waitUntil(refresh().catch((error) => context.log.error('cache', error)))
    }
    return toCachedOutcome(found, true, ttlMs)
  }

  /** Reaches what this isolate would serve: the Cache API cannot purge by tag. */
  async purge(what: Purged | 'everything'): Promise<void> {
    this.#purges.add(what === 'everything' ? what : toPurgeTags(what))
  }

  async #refresh(
    cache: Cache,
    key: string,
    url: string,
    { request, partition }: CacheLookup,
    context: CacheContext,
  ): Promise<CachedResult> {
    const madeAt = Date.now()
    const computed = await this.#compute(url, partition, context)
    if (computed === null) throw new TypeError(`Nothing is cached for ${request.method}.`)
    const { outcome, lifetime } = computed
    const { ttlMs, staleMs, tags } = lifetime
    // the Cache API returns nothing stale, so its entries live for both times
    const entry = { outcome, lifetime: { ttlMs: ttlMs + staleMs, staleMs: 0, tags } }
    try {
      if (isStorable(outcome)) await cache.put(key, toStoredResponse(entry, madeAt))
      else if (isGone(outcome)) await cache.delete(key)
    } catch (error) {
      // the caller gets the result even if it cannot be stored
      context.log.error('cache', error)
    }
    return { outcome, madeAt }
  }
}

async function toKey(url: string, { partition }: CacheLookup, version: string): Promise<string> {
  const { origin, pathname, search } = new URL(url)
  return `${origin}/${await toDigest([version, partition])}${pathname}${search}`
}

async function find(cache: Cache, key: string): Promise<CachedResult | null> {
  const response = await cache.match(key)
  return response === undefined ? null : readStoredResponse(response)
}

/** How long a request waits for another one: workerd may have cancelled that one without a signal. */
const maxWaitMs = 30_000

/** How often a request waits for others, which may all fail, before it computes the value itself. */
const maxWaits = 2

/**
 * Computes a value once for all requests of an isolate that ask for it at the same time. The work
 * belongs to the request that began it, and `waitUntil` keeps it going after its client has left. The
 * value must be plain: in workerd a `Response` cannot be read by another request.
 */
export class RequestCollapser<Value> {
  readonly #isForAll: (value: Value) => boolean
  readonly #running = new Map<string, Promise<Value>>()

  /** A value for which `isForAll` is false is returned only to the request that computed it. */
  constructor(isForAll: (value: Value) => boolean = () => true) {
    this.#isForAll = isForAll
  }

  async run(
    key: string,
    waitUntil: (work: Promise<unknown>) => void,
    compute: () => Promise<Value>,
  ): Promise<Value> {
    for (let waits = 0; waits < maxWaits; waits += 1) {
      const other = this.#running.get(key)
      if (other === undefined) return this.#begin(key, waitUntil, compute)
      // one after another: a request that waited in vain may be the next to compute it for all
      // oxlint-disable-next-line no-await-in-loop
      const value = await waitFor(other)
      if (value !== null && this.#isForAll(value)) return value
      this.#forget(key, other)
    }
    return compute()
  }

  #begin(
    key: string,
    waitUntil: (work: Promise<unknown>) => void,
    compute: () => Promise<Value>,
  ): Promise<Value> {
    const own: Promise<Value> = compute().finally(() => this.#forget(key, own))
    this.#running.set(key, own)
    waitUntil(own.catch(() => {}))
    return own
  }

  #forget(key: string, work: Promise<Value>): void {
    if (this.#running.get(key) === work) this.#running.delete(key)
  }
}

/**
 * Waits for the value of another request; `null` if that fails or takes too long. The timer also keeps
 * this request alive: workerd cancels a request that waits for nothing of its own.
 */
async function waitFor<Value>(other: Promise<Value>): Promise<Value | null> {
  const late = Promise.withResolvers<null>()
  const timer = setTimeout(() => late.resolve(null), maxWaitMs)
  try {
    return await Promise.race([other.catch(() => null), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
