import {
  type Delivery,
  type HubEvent,
  type Listener,
  keepAliveMs,
  listenerHeader,
  ping,
  pong,
  readDelivery,
  toListenerText,
} from '../objects/hub-listener.ts'

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

interface HubOptions {
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

/** One listener's place in the hub. It belongs to the request that opened it and to no other. */
export interface HubConnection {
  /** Hands on what the hub tells, from the moment of joining, until either side closes. */
  readonly forward: (onDelivery: (delivery: Delivery) => void) => Promise<void>
  /** Leaves the hub; a second time does nothing. */
  readonly close: () => void
}

const joinTimeoutMs = 5_000

/**
 * Joins a hub over a WebSocket of this request's own: in workerd a socket that several requests
 * share works for the one that opened it alone.
 *
 * @throws {Error} when the hub does not answer within 5 seconds, or does not let the listener join.
 */
async function joinHub(hub: HubObject, listener: Listener): Promise<HubConnection> {
  const timeout = new AbortController()
  // not AbortSignal.timeout: that one would fire later and take the open socket with it
  const timer = setTimeout(() => timeout.abort(new Error('The hub is silent.')), joinTimeoutMs)
  try {
    const { status, webSocket } = await hub.fetch('https://hub/', {
      headers: { Upgrade: 'websocket', [listenerHeader]: toListenerText(listener) },
      signal: timeout.signal,
    })
    if (webSocket === null) throw new Error(`The hub answered ${status} to a listener.`)
    return toConnection(webSocket)
  } finally {
    clearTimeout(timer)
  }
}

function toConnection(socket: WebSocket): HubConnection {
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  const close = (): void => {
    resolve()
    socket.accept()
    // the hub counts a socket until it is closed here: the end of the request does not do it
    socket.close(1000)
  }
  return {
    close,
    async forward(onDelivery) {
      socket.addEventListener('message', ({ data }) => {
        if (typeof data !== 'string' || data === pong) return
        const delivery = readDelivery(data)
        if (delivery !== null) onDelivery(delivery)
      })
      socket.addEventListener('close', close)
      socket.addEventListener('error', close)
      // not before: what arrives at an accepted socket that nobody hears is lost
      socket.accept()
      const timer = setInterval(() => socket.send(ping), keepAliveMs)
      await closed
      clearInterval(timer)
    },
  }
}

/** What can be asked of a `Hub` object over RPC, and by `fetch` for its WebSocket. */
export interface HubObject {
  fetch(url: string, init: RequestInit): Promise<Response>
  publish(event: HubEvent): Promise<void>
  announce(digest: string): Promise<boolean>
  stateKey(): Promise<Uint8Array>
}

/** The namespace of the `Hub` class. */
interface HubNamespace {
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

/** Announces a registry to the hub, so that a deploy makes itself known: once an isolate. */
export class Announcer {
  readonly #digest: string
  #isDone = false

  constructor(digest: string) {
    this.#digest = digest
  }

  /** Whether this isolate has announced it, or is about to. */
  get isDone(): boolean {
    return this.#isDone
  }

  /** Announces it, where there is a hub; a failed announcement is left to the next call. */
  async announce(from: {
    readonly exports: unknown
    readonly state: { hub(): HubClient }
  }): Promise<void> {
    // before the answer: the calls meanwhile need not say the same
    this.#isDone = true
    try {
      if (findHubNamespace(from.exports) !== null) await from.state.hub().announce(this.#digest)
    } catch {
      this.#isDone = false
    }
  }
}
