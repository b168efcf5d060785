import type { Notify, NotifyOptions, Purge, Purged } from '../define/contexts.ts'
import type { ListKind } from '../objects/hub-listener.ts'
import { logNotice } from '../util/log.ts'
import type { HubClient } from './hub.ts'

/**
 * What is kept of each list, and of what is on it. Lists of tools and prompts are in the memory of
 * each isolate and kept nowhere else.
 */
const keptOf: Readonly<Record<ListKind, Purged>> = {
  tools: { tools: 'all' },
  prompts: {},
  resources: { lists: true },
}

/** Makes the notifications of a server, for tools and for cron and queue handlers alike. */
export function createNotify(hub: () => HubClient, purge: Purge): Notify {
  const changed = (list: ListKind) => async (audience?: NotifyOptions) => {
    await tryPurge(purge, keptOf[list])
    await hub().publish({ kind: 'list-changed', list, needs: audience?.scopes ?? [] })
  }
  return {
    toolsChanged: changed('tools'),
    promptsChanged: changed('prompts'),
    resourcesChanged: changed('resources'),
    async resourceUpdated(uri, audience) {
      await tryPurge(purge, { resources: [uri] })
      await hub().publish({ kind: 'resource-updated', uri, needs: audience?.scopes ?? [] })
    },
  }
}

/** Purges first, or else those who are told would come for the new too early. */
async function tryPurge(purge: Purge, what: Purged): Promise<void> {
  try {
    await purge(what)
  } catch (error) {
    // listeners are told all the same: what the author did is done
    logNotice('purge', String(error))
  }
}
