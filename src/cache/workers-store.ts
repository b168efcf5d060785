import type { Purged } from '../define/contexts.ts'
import type { Outcome } from '../protocol/outcome.ts'
import type { CachePartition } from './cache-key.ts'
import { type PurgeTimes, toPurgeTags } from './purge.ts'
import type { CacheContext, CacheLookup, CacheStore } from './read-through.ts'
import { readStoredResponse, toCachedOutcome } from './stored-response.ts'

/** The values of `Cf-Cache-Status` for which the response came from the cache, fresh or stale. */
const hits: ReadonlySet<string> = new Set(['HIT', 'UPDATING', 'STALE', 'REVALIDATED'])

/**
 * Caches results in Workers Cache, in front of the `Listings` entrypoint: a loopback GET with nothing
 * but the key. With an `Authorization` header the platform would not store the response, and any other
 * header could get into what the next caller is sent.
 */
export class WorkersStore implements CacheStore {
  readonly #narrow: (what: Purged) => Purged
  readonly #purges: PurgeTimes
  #hasWarned = false

  /** `narrow` removes from a purge what is never cached: the platform allows only a few purges a minute. */
  constructor(narrow: (what: Purged) => Purged, purges: PurgeTimes) {
    this.#narrow = narrow
    this.#purges = purges
  }

  async get(
    url: string,
    { request, partition, lifetime }: CacheLookup,
    { exports, log }: CacheContext,
  ): Promise<Outcome | null> {
    const listings = findListings(exports, partition)
    if (listings === null) {
      if (!this.#hasWarned) log.warn('cache', missing)
      this.#hasWarned = true
      return null
    }
    const response = await listings.fetch(url)
    const cached = await readStoredResponse(response)
    if (cached === null) throw new TypeError(`Listings has no result for ${request.method}.`)
    const isHit = hits.has(response.headers.get('Cf-Cache-Status') ?? '')
    return toCachedOutcome(cached, isHit, lifetime.ttlMs)
  }

  async purge(what: Purged | 'everything', exports: unknown): Promise<void> {
    const tags = what === 'everything' ? what : toPurgeTags(this.#narrow(what))
    if (tags.length === 0) return
    this.#purges.add(tags)
    const result = await findListings(exports)?.purge(tags)
    if (!result || result.success) return
    const why = result.errors.map(({ message }) => message.replace(/\.$/, '')).join('; ')
    throw new Error(
      `The cache was not purged (${why}). Cached results are served until they expire. Purge again ` +
        'in a minute, and less often: the platform allows only a few purges a minute.',
    )
  }
}

const missing =
  'This Worker does not export the entrypoint `Listings`, so nothing is cached. Export it beside the ' +
  'Worker (`export const { Listings } = worker`), or set createWorker({ cache: { store: false } }).'

/** The result of a purge; `null` where the entrypoint has no cache. */
export type PurgeResult = Pick<CachePurgeResult, 'success' | 'errors'> | null

/** The `Listings` entrypoint as its own Worker calls it. */
interface ListingsStub {
  fetch(url: string): Promise<Response>
  purge(tags: readonly string[] | 'everything'): Promise<PurgeResult>
}

type OpenListings = (options: { readonly props: CachePartition }) => ListingsStub

/** Finds the entrypoint in `ctx.exports`; `null` if the Worker does not export it. */
export function findListings(exports: unknown, props: CachePartition = {}): ListingsStub | null {
  const found: unknown = Object(exports).Listings
  return isEntrypoint(found) ? found({ props }) : null
}

function isEntrypoint(value: unknown): value is OpenListings {
  return typeof value === 'function'
}
