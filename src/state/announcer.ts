import type { HubClient } from './hub.ts'

/**
 * Makes the announcement of a registry: the first request of an isolate tells the hub its digest, so
 * that a deploy makes itself known. A failed one is left to the next request.
 */
export function createAnnouncer(
  digest: string,
): (hub: Pick<HubClient, 'announce'>) => Promise<void> {
  let told = false
  return async (hub) => {
    if (told) return
    // before the answer, as the requests meanwhile need not say the same
    told = true
    try {
      await hub.announce(digest)
    } catch {
      told = false
    }
  }
}
