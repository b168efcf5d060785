import { toDigest } from '../kit/digest.ts'
import { createCollapse } from './collapse.ts'
import type { Fill, KeepSite, Wanted } from './fill.ts'
import type { Store } from './keep.ts'
import { isStorable, readKeptResponse, toKeptResponse, toOutcome } from './kept-response.ts'
import type { KeptAnswer } from './kept-response.ts'
import type { PurgeTimes } from './purge-times.ts'

/** Tells one deploy from another. */
export type Version = (env: object) => string

/**
 * Keeps answers in the Cache API of the data centre, for Workers without Workers Cache. It knows
 * neither versions, audiences nor stale answers, and runs concurrent fills side by side, so that all
 * of that is done here.
 */
export function createColoStore(fill: Fill, version: Version, purges: PurgeTimes): Store {
  const collapse = createCollapse<KeptAnswer>()

  return {
    async get(url, wanted, site) {
      const { ttlMs, staleMs, tags } = wanted.keeping
      const key = await toKey(url, wanted, version(site.env))
      const cache = await caches.open('helve')
      const refresh = (): Promise<KeptAnswer> =>
        collapse(key, site.waitUntil, () => make(cache, key, wanted, site))

      const found = await find(cache, key)
      const now = Date.now()
      if (
        found === null ||
        purges.have(tags, found.madeAt) ||
        now - found.madeAt >= ttlMs + staleMs
      )
        return toOutcome(await refresh(), false, ttlMs)
      if (now - found.madeAt >= ttlMs) site.waitUntil(refresh())
      return toOutcome(found, true, ttlMs)
    },
  }

  async function make(
    cache: Cache,
    key: string,
    { lookup, audience }: Wanted,
    site: KeepSite,
  ): Promise<KeptAnswer> {
    const madeAt = Date.now()
    const filled = await fill(lookup, audience, site)
    if (filled === null) throw new TypeError(`Nothing is kept for ${lookup.method}.`)
    if (isStorable(filled.outcome)) {
      const { ttlMs, staleMs, tags } = filled.keeping
      // the Cache API gives back nothing stale: how fresh it is, is for us to know
      const kept = {
        outcome: filled.outcome,
        keeping: { ttlMs: ttlMs + staleMs, staleMs: 0, tags },
      }
      await cache.put(key, toKeptResponse(kept, madeAt))
    }
    return { outcome: filled.outcome, madeAt }
  }
}

async function toKey(url: string, { audience }: Wanted, version: string): Promise<string> {
  const { origin, pathname, search } = new URL(url)
  return `${origin}/${await toDigest([version, audience])}${pathname}${search}`
}

async function find(cache: Cache, key: string): Promise<KeptAnswer | null> {
  const response = await cache.match(key)
  return response === undefined ? null : readKeptResponse(response)
}
