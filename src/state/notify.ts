import type { Audience, Notify } from '../define/notify.ts'
import type { HubClient } from './hub.ts'
import type { ListKind } from './listener.ts'

/** Makes the notifications of a server, for tools and for cron and queue handlers alike. */
export function createNotify(hub: () => HubClient): Notify {
  const changed = (list: ListKind) => async (audience?: Audience) =>
    hub().publish({ kind: 'list-changed', list, needs: audience?.scopes ?? [] })
  return {
    toolsChanged: changed('tools'),
    promptsChanged: changed('prompts'),
    resourcesChanged: changed('resources'),
    resourceUpdated: async (uri, audience) =>
      hub().publish({ kind: 'resource-updated', uri, needs: audience?.scopes ?? [] }),
  }
}
