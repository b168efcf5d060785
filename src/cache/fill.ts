import type { Exchange } from '../wire/exchange.ts'
import type { Outcome } from '../wire/outcome.ts'
import type { Audience } from './audience.ts'
import type { Lookup } from './lookup.ts'

/** How long an answer is kept, and what it is purged by. */
export interface Keeping {
  readonly ttlMs: number
  /** Milliseconds after that for which an old answer will do while a new one is made. */
  readonly staleMs: number
  readonly tags: readonly string[]
}

/** An answer that may be kept, once it is there. */
export interface Filled {
  readonly outcome: Outcome
  readonly keeping: Keeping
}

/** Where an answer is made: no more of the request than what is the same for every request. */
export type FillSite = Pick<Exchange, 'env' | 'exports' | 'waitUntil'>

/**
 * Makes an answer from its key alone, which is a URL of `toLookupUrl` and an audience. `null` where
 * nothing is kept by that key: it may come from outside the isolate.
 */
export type Fill = (url: string, audience: Audience, site: FillSite) => Promise<Filled | null>

/** An answer that somebody wants, kept or new. */
export interface Wanted {
  readonly lookup: Lookup
  readonly audience: Audience
  readonly keeping: Keeping
}

/** Gives an answer from where it is kept, or has it made. */
export type Keep = (wanted: Wanted, site: KeepSite) => Promise<Outcome>

export type KeepSite = FillSite & Pick<Exchange, 'mask'>
