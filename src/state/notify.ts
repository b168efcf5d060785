import type { HubClient } from './hub.ts'
import type { ListKind } from './listener.ts'

/** Narrows a notification to the callers that have all of these scopes. */
export interface Audience {
  readonly scopes: readonly string[]
}

/**
 * Tells listening clients that something changed, in every isolate (basic/patterns/subscriptions).
 * Each resolves when the hub has taken the event, and throws when it cannot be reached.
 */
export interface Notify {
  readonly toolsChanged: (audience?: Audience) => Promise<void>
  readonly promptsChanged: (audience?: Audience) => Promise<void>
  readonly resourcesChanged: (audience?: Audience) => Promise<void>
  /** Reaches the subscribers of exactly this URI. */
  readonly resourceUpdated: (uri: string, audience?: Audience) => Promise<void>
}

/** Makes the notifications of a server, for tools and for cron and queue handlers alike. */
export function createNotify(hub: HubClient): Notify {
  const changed = (list: ListKind) => (audience?: Audience) =>
    hub.publish({ kind: 'list-changed', list, needs: audience?.scopes ?? [] })
  return {
    toolsChanged: changed('tools'),
    promptsChanged: changed('prompts'),
    resourcesChanged: changed('resources'),
    resourceUpdated: (uri, audience) =>
      hub.publish({ kind: 'resource-updated', uri, needs: audience?.scopes ?? [] }),
  }
}
