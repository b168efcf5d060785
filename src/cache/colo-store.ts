import { toDigest } from '../kit/digest.ts'
import { logIncident } from '../kit/incident.ts'
import { createCollapse } from './collapse.ts'
import type { Fill, KeepSite, Wanted } from './fill.ts'
import type { Store } from './keep.ts'
import { isGone, isStorable, readKeptResponse, toKeptResponse, toOutcome } from './kept-response.ts'
import type { KeptAnswer } from './kept-response.ts'
import type { PurgeTimes } from './purge-times.ts'
import type { Version } from './version.ts'

/**
 * Keeps answers in the Cache API of the data centre, for Workers without Workers Cache. It knows
 * neither versions, audiences nor stale answers, and runs concurrent fills side by side, so that all
 * of that is done here.
 */
export function createColoStore(fill: Fill, versionOf: Version, purges: PurgeTimes): Store {
  // an error and its id are for whoever met it
  const collapse = createCollapse<KeptAnswer>(({ outcome }) => isStorable(outcome))

  return {
    async get(url, wanted, site) {
      const version = versionOf(site.env)
      if (version === null) return null
      const { ttlMs, staleMs, tags } = wanted.keeping
      const key = await toKey(url, wanted, version)
      const cache = await caches.open('helve')
      const purgedAt = purges.last(tags)
      // whoever comes after a purge must not join what was begun before it
      const refresh = (): Promise<KeptAnswer> =>
        collapse(
          `${purgedAt} ${key}`,
          (work) => site.waitUntil(work),
          () => make(cache, key, url, wanted, site),
        )

      const found = await find(cache, key)
      const age = found === null ? Infinity : Date.now() - found.madeAt
      if (found === null || found.madeAt <= purgedAt || age >= ttlMs + staleMs) {
        return toOutcome(await refresh(), false, ttlMs)
      }
      if (age >= ttlMs) site.waitUntil(refresh().catch((error) => noteFailure(error, site)))
      return toOutcome(found, true, ttlMs)
    },
  }

  async function make(
    cache: Cache,
    key: string,
    url: string,
    { lookup, audience }: Wanted,
    site: KeepSite,
  ): Promise<KeptAnswer> {
    const madeAt = Date.now()
    const filled = await fill(url, audience, site)
    if (filled === null) throw new TypeError(`Nothing is kept for ${lookup.method}.`)
    const { outcome, keeping } = filled
    const { ttlMs, staleMs, tags } = keeping
    // the Cache API gives back nothing stale: how fresh it is, is for us to know
    const whole = { outcome, keeping: { ttlMs: ttlMs + staleMs, staleMs: 0, tags } }
    try {
      if (isStorable(outcome)) await cache.put(key, toKeptResponse(whole, madeAt))
      else if (isGone(outcome)) await cache.delete(key)
    } catch (error) {
      // the answer is there all the same
      noteFailure(error, site)
    }
    return { outcome, madeAt }
  }
}

function noteFailure(error: unknown, { mask }: KeepSite): void {
  logIncident('cache', error, mask)
}

async function toKey(url: string, { audience }: Wanted, version: string): Promise<string> {
  const { origin, pathname, search } = new URL(url)
  return `${origin}/${await toDigest([version, audience])}${pathname}${search}`
}

async function find(cache: Cache, key: string): Promise<KeptAnswer | null> {
  const response = await cache.match(key)
  return response === undefined ? null : readKeptResponse(response)
}
