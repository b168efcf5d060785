import { logIncident } from '../kit/incident.ts'
import type { Outcome } from '../wire/outcome.ts'
import { toPlainAudience } from './audience.ts'
import type { Fill, Keep, KeepSite, Wanted } from './fill.ts'
import { readLookupUrl, toLookupUrl } from './lookup.ts'

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
  return async (given, site) => {
    const url = toLookupUrl(given.lookup)
    const lookup = url === null ? null : readLookupUrl(url)
    const audience = toPlainAudience(given.audience)
    if (url === null || lookup === null || audience === null) return make(given, site)
    const wanted = { ...given, lookup, audience }
    if (store === null || wanted.keeping.ttlMs < 1000) return make(wanted, site)
    try {
      const answer = await store.get(url, wanted, site)
      if (answer !== null) return answer
    } catch (error) {
      logIncident('cache', error, site.mask)
    }
    return make(wanted, site)
  }

  async function make({ lookup, audience }: Wanted, site: KeepSite): Promise<Outcome> {
    const filled = await fill(lookup, audience, site)
    if (filled !== null) return filled.outcome
    throw new TypeError(`Nothing is kept for ${lookup.method}.`)
  }
}
