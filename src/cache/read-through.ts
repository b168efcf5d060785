import type { Exchange } from '../protocol/exchange.ts'
import type { Outcome } from '../protocol/outcome.ts'
import { logIncident } from '../out/log.ts'
import {
  type Audience,
  type Lookup,
  maxLookupUrl,
  toLookupUrl,
  toPlainAudience,
} from './cache-key.ts'

/** A place where answers are kept. */
export interface Store {
  /** The answer, from there or new; `null` where this Worker has no such place. */
  readonly get: (url: string, wanted: Wanted, site: KeepSite) => Promise<Outcome | null>
}

/**
 * Makes what gives answers that may be kept. Where they cannot be, or where the cache is out of reach,
 * they are made as the cache would make them: from their key alone, so that nothing works here that
 * would not work there.
 */
export function createKeep(fill: Fill, store: Store | null): Keep {
  return async ({ lookup, audience: given, keeping }, site) => {
    const url = toLookupUrl(lookup)
    const audience = toPlainAudience(given)
    const mayKeep = keeping.ttlMs >= 1000 && url.length <= maxLookupUrl && audience !== null
    try {
      const answer = mayKeep ? await store?.get(url, { lookup, audience, keeping }, site) : null
      if (answer) return answer
    } catch (error) {
      logIncident('cache', error, site.mask)
    }
    const filled = await fill(url, audience ?? given, site)
    if (filled !== null) return filled.outcome
    throw new TypeError(`Nothing is kept for ${lookup.method}.`)
  }
}

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
