import type { Purge, Purged } from '../define/purge.ts'
import { findListings } from './listings-stub.ts'
import type { PurgeTimes } from './purge-times.ts'
import { toPurgeTags } from './tags.ts'

/** Opens the purge for one request, or for a handler that was called by no client. */
export type OpenPurge = (exports: unknown) => Purge

/**
 * Makes what purges Workers Cache. `narrow` leaves out what is never kept: the platform takes only a
 * few purges a minute.
 */
export function createWorkersPurge(narrow: (what: Purged) => Purged, times: PurgeTimes): OpenPurge {
  return (exports) => async (what) => {
    const tags = what === 'everything' ? what : toPurgeTags(narrow(what))
    if (tags.length === 0) return
    times.add(tags)
    const result = await findListings(exports)?.purge(tags)
    if (!result || result.success) return
    const why = result.errors.map(({ message }) => message.replace(/\.$/, '')).join('; ')
    throw new Error(
      `The cache was not purged (${why}). What is kept there goes on being served until its time is ` +
        'over. Purge again in a minute, and less often: the platform takes a few purges a minute.',
    )
  }
}

/** Makes the purge of the Cache API, which has none: it reaches what this isolate would serve. */
export function createColoPurge(times: PurgeTimes): OpenPurge {
  return () => async (what) => times.add(what === 'everything' ? what : toPurgeTags(what))
}
