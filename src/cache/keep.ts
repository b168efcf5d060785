import { logIncident } from '../kit/incident.ts'
import type { Outcome } from '../wire/outcome.ts'
import { toPlainAudience } from './audience.ts'
import type { Fill, Keep, KeepSite, Wanted } from './fill.ts'
import { maxLookupUrl, toLookupUrl } from './lookup.ts'

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
