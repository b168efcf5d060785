import type { HubEvent } from './hub-event.ts'

/** What can be asked of a `Hub` object over RPC, and by `fetch` for its WebSocket. */
export interface HubObject {
  fetch(url: string, init: RequestInit): Promise<Response>
  publish(event: HubEvent): Promise<void>
  announce(digest: string): Promise<boolean>
  stateKey(): Promise<Uint8Array>
}

/** The namespace of the `Hub` class. */
export interface HubNamespace {
  getByName(name: string): HubObject
}

/**
 * Finds the namespace among `ctx.exports`, where no binding is needed for it. `null` where the Worker
 * does not export the class or does not declare it: such a server has no notifications.
 */
export function findHubNamespace(exports: unknown): HubNamespace | null {
  const found: unknown = Object(exports).Hub
  return isNamespace(found) ? found : null
}

function isNamespace(value: unknown): value is HubNamespace {
  // a namespace is a function in workerd; and a class that is exported but not declared is here too,
  // without the methods of a namespace
  return typeof value === 'function' && 'getByName' in value
}
