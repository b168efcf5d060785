import { joinHub, type HubConnection } from './hub-connection.ts'
import type { HubEvent } from './hub-event.ts'
import type { HubNamespace, HubObject } from './hub-namespace.ts'
import type { Listener } from './listener.ts'

/** The hub as the Worker sees it: one, however many objects share its listeners. */
export interface HubClient {
  /** Tells every listener that asked for it, in every isolate. */
  readonly publish: (event: HubEvent) => Promise<void>
  /** Joins as a listener, for as long as this request lives. */
  readonly join: (listener: Listener) => Promise<HubConnection>
  /** The 32 random bytes of a server that has no `STATE_KEY`. */
  readonly stateKey: () => Promise<Uint8Array>
  /** Announces a registry; `true` for the one call that brought the news. */
  readonly announce: (digest: string) => Promise<boolean>
}

export interface HubOptions {
  readonly namespace: HubNamespace
  /** How many objects share the listeners, 1 or more; docs/scale.md says how many it takes. */
  readonly shards: number
}

/**
 * Makes the Worker's side of the hub, for one request. A listener joins any shard, an event goes to
 * all of them at once, and the key lives in the first.
 */
export function createHub({ namespace, shards }: HubOptions): HubClient {
  const shard = (index: number): HubObject => namespace.getByName(`hub-${index}`)
  const all = (): HubObject[] => Array.from({ length: shards }, (_, n) => shard(n))
  return {
    async publish(event) {
      await Promise.all(all().map((hub) => hub.publish(event)))
    },
    join: (listener) => joinHub(shard(Math.floor(Math.random() * shards)), listener),
    stateKey: () => shard(0).stateKey(),
    async announce(digest) {
      // each shard knows by itself: one that was out of reach is told by its next listener
      const [first = false] = await Promise.all(all().map((hub) => hub.announce(digest)))
      return first
    },
  }
}
