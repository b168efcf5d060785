import type { HubClient } from './hub.ts'

type Announcing = Pick<HubClient, 'announce'>

/** Announces the registry where this isolate has not yet; the work is not to be waited for. */
export type Announce = (findHub: () => Announcing | null) => Promise<void> | null

/**
 * Makes the announcement of a registry: the first call in an isolate tells the hub its digest, so
 * that a deploy makes itself known. A failed one is left to the next call.
 */
export function createAnnouncer(digest: string): Announce {
  let told = false
  return (findHub) => {
    if (told) return null
    // before the answer, as the calls meanwhile need not say the same
    told = true
    return tell(findHub())
  }

  async function tell(hub: Announcing | null): Promise<void> {
    try {
      await hub?.announce(digest)
    } catch {
      told = false
    }
  }
}
