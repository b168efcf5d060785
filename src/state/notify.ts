import type { Notify, NotifyOptions, Purge, Purged } from '../define/contexts.ts'
import type { ListKind } from '../objects/hub-listener.ts'
import type { WorkerLog } from '../out/log.ts'
import { isJsonObject, isTextList } from '../protocol/json.ts'
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
    const needs = readNeeds(audience)
    await tryPurge(cachedOf[list])
    await hub().publish({ kind: 'list-changed', list, needs })
  }
  return {
    toolsChanged: changed('tools'),
    promptsChanged: changed('prompts'),
    resourcesChanged: changed('resources'),
    async resourceUpdated(uri, audience) {
      const needs = readNeeds(audience)
      if (typeof uri !== 'string') {
        throw new TypeError(
          `resourceUpdated received a value of type ${typeof uri}. Pass the URI as a string.`,
        )
      }
      const key = toResourceKey(uri)
      await tryPurge({ resources: [uri] })
      await hub().publish({ kind: 'resource-updated', uri: key, needs })
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

/**
 * Returns the scopes that a listener needs for a notification.
 *
 * @throws {TypeError} for anything but an array of strings: read as "none", it would reach everybody, such
 * as with a misspelt name.
 */
function readNeeds(audience: unknown): readonly string[] {
  if (audience === undefined) return []
  const scopes = isJsonObject(audience) ? audience['scopes'] : audience
  if (isTextList(scopes)) return scopes
  throw new TypeError(
    'The audience of a notification must be an object such as { scopes: ["shop:write"] }. ' +
      'Listeners were not notified.',
  )
}
