import type { Notify, NotifyOptions, Purge, Purged } from '../define/contexts.ts'
import type { ListKind } from '../objects/hub-listener.ts'
import type { WorkerLog } from '../out/log.ts'
import type { HubClient } from './hub.ts'

/**
 * What the caches hold of each list and of its entries. Lists of tools and prompts are in the memory
 * of each isolate and in no cache.
 */
const cachedOf: Readonly<Record<ListKind, Purged>> = {
  tools: { tools: 'all' },
  prompts: {},
  resources: { lists: true },
}

interface NotifySettings {
  readonly hub: () => HubClient
  readonly purge: Purge
  /** Converts a URI to the one that subscriptions know it by. */
  readonly toResourceKey: (uri: string) => string
  readonly log: () => WorkerLog
}

/** Creates the notifications of a server, for tools and for cron and queue handlers alike. */
export function createNotify({ hub, purge, toResourceKey, log }: NotifySettings): Notify {
  const changed = (list: ListKind) => async (audience?: NotifyOptions) => {
    await tryPurge(cachedOf[list])
    await hub().publish({ kind: 'list-changed', list, needs: audience?.scopes ?? [] })
  }
  return {
    toolsChanged: changed('tools'),
    promptsChanged: changed('prompts'),
    resourcesChanged: changed('resources'),
    async resourceUpdated(uri, audience) {
      const key = toResourceKey(uri)
      await tryPurge({ resources: [uri] })
      await hub().publish({ kind: 'resource-updated', uri: key, needs: audience?.scopes ?? [] })
    },
  }

  // before the notification: its listeners must not be served the old entries
  async function tryPurge(what: Purged): Promise<void> {
    try {
      await purge(what)
    } catch (error) {
      log().warn('purge', 'The cache was not purged, but listeners were notified.', error)
    }
  }
}
