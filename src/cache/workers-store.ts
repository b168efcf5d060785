import { logNotice } from '../kit/incident.ts'
import { readKeptResponse, toOutcome } from './kept-response.ts'
import type { Store } from './keep.ts'
import { findListings } from './listings-stub.ts'

/** What the platform says of a reply that it had: it is fresh, or will do while a new one is made. */
const hits: ReadonlySet<string> = new Set(['HIT', 'UPDATING', 'STALE', 'REVALIDATED'])

/**
 * Keeps answers in Workers Cache, which stands in front of the `Listings` entrypoint: a loopback GET
 * in which nothing is but the key. An `Authorization` header would keep the platform from storing the
 * reply, and any other could get into what the next caller is sent.
 */
export function createWorkersStore(): Store {
  let isMissed = false
  return {
    async get(url, { lookup, audience, keeping: { ttlMs } }, { exports }) {
      const listings = findListings(exports, audience)
      if (listings === null) {
        if (!isMissed) logNotice('cache', missing)
        isMissed = true
        return null
      }
      const response = await listings.fetch(url)
      const answer = await readKeptResponse(response)
      if (answer === null) throw new TypeError(`Listings has no answer to ${lookup.method}.`)
      const isHit = hits.has(response.headers.get('Cf-Cache-Status') ?? '')
      return toOutcome(answer, isHit, ttlMs)
    },
  }
}

const missing =
  'This Worker has no Listings entrypoint, so that nothing is kept. Export it beside the Worker ' +
  '(`export const { Listings } = worker`), or say createWorker({ cache: false }).'
