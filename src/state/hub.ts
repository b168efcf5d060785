import {
  type Delivery,
  type HubEvent,
  type Listener,
  type ListenerOwner,
  type Subscriptions,
  listenerHeader,
  overCode,
  ownerHeader,
  readDelivery,
  toListenerText,
  toOwnerText,
} from '../objects/hub-listener.ts'
import { toChecksum } from '../util/digest.ts'
import { openObjectSocket, toObjectSocket } from './object-socket.ts'

/** The hub as the Worker sees it: one hub, however many objects share its listeners. */
export interface HubClient {
  /** Notifies every listener that subscribed to it, in every isolate. */
  readonly publish: (event: HubEvent) => Promise<void>
  /**
   * Joins as a listener of its owner, for as long as this request lives. `null` if the owner has as
   * many listeners as it may have.
   */
  readonly join: (listener: Listener, owner: ListenerOwner) => Promise<HubConnection | null>
  /** Changes what the open stream of a session is sent, wherever it is open. */
  readonly updateSession: (session: string, subscriptions: Subscriptions) => Promise<void>
  /** Closes the open stream of a session for good. */
  readonly endSession: (session: string) => Promise<void>
  /** The 32 random bytes of a server that has no `STATE_KEY`. */
  readonly stateKey: () => Promise<Uint8Array>
  /** Announces a registry; `true` for the first call with this digest. */
  readonly announce: (digest: string) => Promise<boolean>
}

interface HubOptions {
  readonly namespace: HubNamespace
  /** How many objects share the listeners, 1 or more; see docs/scale.md. */
  readonly shards: number
}

/**
 * Creates the Worker's side of the hub, for one request. All listeners of an owner join one shard,
 * which can count them; an event goes to all shards at once; the key is in the first shard.
 */
export function createHub({ namespace, shards }: HubOptions): HubClient {
  const shard = (index: number): HubObject => namespace.getByName(`hub-${index}`)
  const all = (): HubObject[] => Array.from({ length: shards }, (_, n) => shard(n))
  return {
    async publish(event) {
      await Promise.all(all().map((hub) => hub.publish(event)))
    },
    join: (listener, owner) => joinShard(shard(toChecksum(owner.digest) % shards), listener, owner),
    // an anonymous client may have joined from another address, and so another shard
    async updateSession(session, subscriptions) {
      await Promise.all(all().map((hub) => hub.updateSession(session, subscriptions)))
    },
    async endSession(session) {
      await Promise.all(all().map((hub) => hub.endSession(session)))
    },
    stateKey: () => shard(0).stateKey(),
    async announce(digest) {
      // each shard keeps its own list: an unreachable one learns the digest from its next listener
      const [first = false] = await Promise.all(all().map((hub) => hub.announce(digest)))
      return first
    },
  }
}

/** The connection of one listener. Only the request that opened it can use it. */
export interface HubConnection {
  /**
   * Passes on the hub's deliveries, from the moment of joining, until either side closes. `true` if
   * the stream is over for good: its session has ended, or has a newer stream.
   */
  readonly forward: (onDelivery: (delivery: Delivery) => void) => Promise<boolean>
  readonly close: () => void
}

/** @throws {Error} when the hub does not respond within 5 seconds, or does not accept the listener. */
async function joinShard(
  hub: HubObject,
  listener: Listener,
  owner: ListenerOwner,
): Promise<HubConnection | null> {
  const { status, webSocket } = await openObjectSocket(hub, 'hub', {
    [listenerHeader]: toListenerText(listener),
    [ownerHeader]: toOwnerText(owner),
  })
  if (status === 429) return null
  if (webSocket === null) throw new Error(`The hub refused a listener with status ${status}.`)
  const { forward, close } = toObjectSocket(webSocket)
  return {
    close,
    async forward(onDelivery) {
      const code = await forward((text) => {
        const delivery = readDelivery(text)
        if (delivery !== null) onDelivery(delivery)
      })
      return code === overCode
    },
  }
}

/** The methods of a `Hub` object over RPC, and `fetch` for its WebSocket. */
export interface HubObject {
  fetch(url: string, init: RequestInit): Promise<Response>
  publish(event: HubEvent): Promise<void>
  announce(digest: string): Promise<boolean>
  updateSession(session: string, subscriptions: Subscriptions): Promise<void>
  endSession(session: string): Promise<void>
  stateKey(): Promise<Uint8Array>
}

interface HubNamespace {
  getByName(name: string): HubObject
}

/**
 * Finds the namespace in `ctx.exports`, where it needs no binding. `null` where the Worker does not
 * export the class or does not declare it: such a server has no notifications.
 */
export function findHubNamespace(exports: unknown): HubNamespace | null {
  const found: unknown = Object(exports).Hub
  return isNamespace(found) ? found : null
}

function isNamespace(value: unknown): value is HubNamespace {
  // in workerd a namespace is a function, and a class that is exported but not declared is here too,
  // without the methods of a namespace
  return typeof value === 'function' && 'getByName' in value
}

interface AnnouncingCall {
  readonly state: {
    readonly hasHub: boolean
    readonly hub: () => Pick<HubClient, 'announce'>
  }
}

/** Announces a deploy: the first call of an isolate sends the registry's digest to the hub. */
export class Announcer {
  readonly #digest: string
  /** Whether this isolate has announced, or is announcing. */
  isDone = false

  constructor(digest: string) {
    this.#digest = digest
  }

  /** Announces once, for `waitUntil`. After a failure the next call tries again. */
  async announce(call: AnnouncingCall): Promise<void> {
    // before `call.state` is read, which opens it
    if (this.isDone) return
    // set at once: calls during the announcement must not repeat it
    this.isDone = true
    try {
      if (call.state.hasHub) await call.state.hub().announce(this.#digest)
    } catch {
      this.isDone = false
    }
  }
}
