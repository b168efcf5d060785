import { toDigest } from '../util/digest.ts'
import type { Version } from './caches.ts'
import type { PurgeTimes } from './purge.ts'
import type { ComputeResult, CacheContext, CacheStore, CacheLookup } from './read-through.ts'
import {
  type CachedResult,
  isGone,
  isStorable,
  readStoredResponse,
  toStoredResponse,
  toCachedOutcome,
} from './stored-response.ts'

/**
 * Keeps answers in the Cache API of the data centre, for Workers without Workers Cache. It knows
 * neither versions, audiences nor stale answers, and runs concurrent fills side by side, so that all
 * of that is done here.
 */
export function createColoStore(
  fill: ComputeResult,
  versionOf: Version,
  purges: PurgeTimes,
): CacheStore {
  // an error and its id are for whoever met it
  const collapse = createCollapse<CachedResult>(({ outcome }) => isStorable(outcome))

  return {
    async get(url, wanted, site) {
      const version = versionOf(site.env)
      if (version === null) return null
      const { ttlMs, staleMs, tags } = wanted.lifetime
      const key = await toKey(url, wanted, version)
      const cache = await caches.open('helve')
      const purgedAt = purges.last(tags)
      // whoever comes after a purge must not join what was begun before it
      const refresh = (): Promise<CachedResult> =>
        collapse(
          `${purgedAt} ${key}`,
          (work) => site.waitUntil(work),
          () => make(cache, key, url, wanted, site),
        )

      const found = await find(cache, key)
      const age = found === null ? Infinity : Date.now() - found.madeAt
      if (found === null || found.madeAt <= purgedAt || age >= ttlMs + staleMs) {
        return toCachedOutcome(await refresh(), false, ttlMs)
      }
      if (age >= ttlMs) site.waitUntil(refresh().catch((error) => noteFailure(error, site)))
      return toCachedOutcome(found, true, ttlMs)
    },
  }

  async function make(
    cache: Cache,
    key: string,
    url: string,
    { request, partition }: CacheLookup,
    site: CacheContext,
  ): Promise<CachedResult> {
    const madeAt = Date.now()
    const filled = await fill(url, partition, site)
    if (filled === null) throw new TypeError(`Nothing is kept for ${request.method}.`)
    const { outcome, lifetime } = filled
    const { ttlMs, staleMs, tags } = lifetime
    // the Cache API gives back nothing stale: how fresh it is, is for us to know
    const whole = { outcome, lifetime: { ttlMs: ttlMs + staleMs, staleMs: 0, tags } }
    try {
      if (isStorable(outcome)) await cache.put(key, toStoredResponse(whole, madeAt))
      else if (isGone(outcome)) await cache.delete(key)
    } catch (error) {
      // the answer is there all the same
      noteFailure(error, site)
    }
    return { outcome, madeAt }
  }
}

function noteFailure(error: unknown, { log }: CacheContext): void {
  log.error('cache', error)
}

async function toKey(url: string, { partition }: CacheLookup, version: string): Promise<string> {
  const { origin, pathname, search } = new URL(url)
  return `${origin}/${await toDigest([version, partition])}${pathname}${search}`
}

async function find(cache: Cache, key: string): Promise<CachedResult | null> {
  const response = await cache.match(key)
  return response === undefined ? null : readStoredResponse(response)
}

/** Has work done once for all who ask for the same while it is under way. */
type Collapse<Value> = (
  key: string,
  waitUntil: (work: Promise<unknown>) => void,
  work: () => Promise<Value>,
) => Promise<Value>

/** How long somebody waits for the work of another request: it may have been cut off without a word. */
const patienceMs = 30_000

/** How often somebody waits for others, who may all fail, before doing the work alone. */
const patience = 2

/**
 * Makes a {@link Collapse} for one isolate; what is not `isForAll` is for those alone who had it made.
 * The work belongs to the request that began it, and outlives its client by `waitUntil`. Whoever waits
 * keeps a timer, since workerd takes a request that waits for nothing of its own for hung; and what
 * they share must be a plain value, as a `Response` cannot be read by another request.
 */
export function createCollapse<Value>(
  isForAll: (value: Value) => boolean = () => true,
): Collapse<Value> {
  const running = new Map<string, Promise<Value>>()
  const forget = (key: string, work: Promise<Value> | undefined): void => {
    if (running.get(key) === work) running.delete(key)
  }
  return async (key, waitUntil, work) => {
    for (let waits = 0; waits < patience; waits += 1) {
      const other = running.get(key)
      if (other === undefined) {
        const own: Promise<Value> = work().finally(() => forget(key, own))
        running.set(key, own)
        waitUntil(own.catch(() => {}))
        return own
      }
      // one after another: whoever waited in vain may be the next to do it for all
      // oxlint-disable-next-line no-await-in-loop
      const value = await waitFor(other)
      if (value !== null && isForAll(value)) return value
      forget(key, other)
    }
    return work()
  }
}

/** The value of another's work, or `null` where it failed or takes too long. */
async function waitFor<Value>(other: Promise<Value>): Promise<Value | null> {
  const late = Promise.withResolvers<null>()
  const timer = setTimeout(() => late.resolve(null), patienceMs)
  try {
    return await Promise.race([other.catch(() => null), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
