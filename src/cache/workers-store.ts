import type { Outcome } from '../protocol/outcome.ts'
import type { CachePartition } from './cache-key.ts'
import type { PurgeResult } from './listings.ts'
import type { CacheContext, CacheStore, CacheLookup } from './read-through.ts'
import { readStoredResponse, toCachedOutcome } from './stored-response.ts'

/** What the platform says of a reply that it had: it is fresh, or will do while a new one is made. */
const hits: ReadonlySet<string> = new Set(['HIT', 'UPDATING', 'STALE', 'REVALIDATED'])

/**
 * Caches results in Workers Cache, which stands in front of the `Listings` entrypoint: a loopback GET
 * that carries nothing but the key. An `Authorization` header would keep the platform from storing the
 * reply, and any other could get into what the next caller is sent.
 */
export class WorkersStore implements CacheStore {
  #isMissed = false

  async get(
    url: string,
    { request, partition, lifetime: { ttlMs } }: CacheLookup,
    { exports, log }: CacheContext,
  ): Promise<Outcome | null> {
    const listings = findListings(exports, partition)
    if (listings === null) {
      if (!this.#isMissed) log.warn('cache', missing)
      this.#isMissed = true
      return null
    }
    const response = await listings.fetch(url)
    const answer = await readStoredResponse(response)
    if (answer === null) throw new TypeError(`Listings has no answer to ${request.method}.`)
    const isHit = hits.has(response.headers.get('Cf-Cache-Status') ?? '')
    return toCachedOutcome(answer, isHit, ttlMs)
  }
}

const missing =
  'This Worker has no Listings entrypoint, so nothing is cached. Export it beside the Worker ' +
  '(`export const { Listings } = worker`), or say createWorker({ cache: { store: false } }).'

/** The `Listings` entrypoint as its own Worker sees it. */
interface ListingsStub {
  fetch(url: string): Promise<Response>
  purge(tags: readonly string[] | 'everything'): Promise<PurgeResult>
}

type OpenListings = (options: { readonly props: CachePartition }) => ListingsStub

/** Finds the entrypoint among `ctx.exports`; `null` where the Worker does not export it. */
export function findListings(exports: unknown, props: CachePartition = {}): ListingsStub | null {
  const found: unknown = Object(exports).Listings
  return isEntrypoint(found) ? found({ props }) : null
}

function isEntrypoint(value: unknown): value is OpenListings {
  return typeof value === 'function'
}
