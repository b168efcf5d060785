import { DurableObject } from 'cloudflare:workers'
import {
  type HubEvent,
  type HubMember,
  type ListenerOwner,
  type Subscriptions,
  attachMember,
  listKinds,
  listenerHeader,
  overCode,
  ownerHeader,
  ping,
  pong,
  readListener,
  readMember,
  readOwner,
  sendDelivery,
  toDeadline,
  toDelivery,
} from './hub-listener.ts'

/** How long events are collected before they are sent as one message. */
const coalesceMs = 100
const keyBytes = 32
const everyListChanged = listKinds.map((list): HubEvent => ({
  kind: 'list-changed',
  list,
  needs: [],
}))

/**
 * The Durable Object that connects the `subscriptions/listen` streams of all isolates: one
 * hibernatable WebSocket a listener. It also stores the server's own key, and which registries have
 * been announced; see docs/storage.md.
 */
export class Hub extends DurableObject {
  readonly #publish: (event: HubEvent) => void

  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env)
    this.#publish = createCoalescer((events) => this.#deliver(events))
    // answered by the runtime: a keep-alive neither wakes the hub nor costs duration
    state.setWebSocketAutoResponse(new WebSocketRequestResponsePair(ping, pong))
  }

  /** Accepts a listener: a WebSocket upgrade that describes it in a header. */
  override async fetch(request: Request): Promise<Response> {
    const listener = readListener(request.headers.get(listenerHeader) ?? '')
    if (listener === null) return new Response(null, { status: 400 })
    const owner = readOwner(request.headers.get(ownerHeader) ?? '')
    const { session } = listener
    // before it is counted: a client that lost its stream opens another one
    if (session !== undefined) this.endSession(session)
    // no await from here until it is accepted: two listeners must not both be the last one
    if (owner !== null && this.#isFull(owner)) {
      // without a body, which would keep the object in memory until it was read
      return new Response(null, { status: 429 })
    }
    // before it joins: the first listener of a new version must be notified once, below
    this.announce(listener.digest)

    const { 0: theirs, 1: ours } = new WebSocketPair()
    const member: HubMember = { socket: ours, listener, joined: Date.now() }
    // the tags find the listeners of an owner and of a session, and are lost with the socket
    const tags = [owner?.digest, session === undefined ? undefined : toSessionTag(session)]
    this.ctx.acceptWebSocket(
      ours,
      tags.filter((tag) => tag !== undefined),
    )
    attachMember(member)
    if (isRecentAnnouncement(this.#announced(), member.joined)) {
      sendDelivery(member, toDelivery(listener, everyListChanged))
    }
    await this.#setAlarm(this.#deadlineOf(member))
    return new Response(null, { status: 101, webSocket: theirs })
  }

  /**
   * Notifies the listeners of an event within 100 ms. It returns before that: if the object stops in
   * between, its sockets close, and every listener's stream ends.
   */
  publish(event: HubEvent): void {
    this.#publish(event)
  }

  /** Notifies the listeners that all lists changed, once for each digest; `false` for a known one. */
  announce(digest: string): boolean {
    const announced = addDigest(this.#announced(), digest, Date.now())
    if (announced === null) return false
    this.ctx.storage.kv.put('announced', announced)
    // not collected: a listener that joined meanwhile would be notified twice
    this.#deliver(everyListChanged)
    return true
  }

  /**
   * Changes what the stream of a session is sent, unless it knows a later version: two changes may
   * arrive in another order than they were stored in.
   */
  updateSession(session: string, { uris, version = 0 }: Subscriptions): void {
    for (const member of this.#members(toSessionTag(session))) {
      const { listener } = member
      if (version > (listener.version ?? -1)) {
        attachMember({ ...member, listener: { ...listener, uris, version } })
      }
    }
  }

  /** Closes the stream of a session for good. */
  endSession(session: string): void {
    for (const { socket } of this.#members(toSessionTag(session))) {
      socket.close(overCode, 'The session has ended, or has a newer stream.')
    }
  }

  /** Returns the key of a server without `STATE_KEY`: random, created once and stored for good. */
  stateKey(): Uint8Array {
    const { kv } = this.ctx.storage
    const stored = kv.get<Uint8Array>('state-key')
    if (stored !== undefined) return stored
    const key = crypto.getRandomValues(new Uint8Array(keyBytes))
    kv.put('state-key', key)
    return key
  }

  /** Closes listeners that are gone or past their end. It fires only while there are listeners. */
  override async alarm(): Promise<void> {
    const now = Date.now()
    const deadlines = this.#members().map((member) => {
      const deadline = this.#deadlineOf(member)
      if (deadline <= now) member.socket.close(1001, 'No keep-alive, or past its end.')
      return deadline
    })
    const next = Math.min(...deadlines.filter((deadline) => deadline > now))
    if (next < Infinity) await this.#setAlarm(next)
  }

  #deliver(events: readonly HubEvent[]): void {
    const now = Date.now()
    for (const member of this.#members()) {
      if (this.#deadlineOf(member) > now) sendDelivery(member, toDelivery(member.listener, events))
    }
  }

  #isFull({ digest, most }: ListenerOwner): boolean {
    if (this.ctx.getWebSockets(digest).length < most) return false
    // some may be closing, or their clients gone although the alarm has not closed them yet
    const now = Date.now()
    return this.#members(digest).filter((member) => this.#deadlineOf(member) > now).length >= most
  }

  #members(tag?: string): HubMember[] {
    return this.ctx
      .getWebSockets(tag)
      .map(readMember)
      .filter((member) => member !== null)
  }

  #deadlineOf({ socket, listener, joined }: HubMember): number {
    const pinged = this.ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? null
    return toDeadline({ joined, pinged, until: listener.until })
  }

  #announced(): AnnouncedRegistries {
    return this.ctx.storage.kv.get<AnnouncedRegistries>('announced') ?? noAnnouncements
  }

  async #setAlarm(deadline: number): Promise<void> {
    // one alarm for all listeners, so that most joins write nothing
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(deadline)
  }
}

// an owner's tag is a digest, which has no colon
function toSessionTag(session: string): string {
  return `session:${session}`
}

/**
 * Collects the events of {@link coalesceMs} from the first one and hands them on together, equal
 * events as one. No timer is set in between, so that the object can hibernate.
 */
function createCoalescer(handOn: (events: readonly HubEvent[]) => void): (event: HubEvent) => void {
  const waiting = new Map<string, HubEvent>()
  return (event) => {
    if (waiting.size === 0) {
      setTimeout(() => {
        const events = [...waiting.values()]
        waiting.clear()
        handOn(events)
      }, coalesceMs)
    }
    waiting.set(JSON.stringify(event), event)
  }
}

interface AnnouncedRegistries {
  readonly digests: readonly string[]
  /** When the newest one replaced another, in milliseconds since 1970; 0 for the first. */
  readonly since: number
}

export const noAnnouncements: AnnouncedRegistries = { digests: [], since: 0 }

/**
 * How many digests are remembered. Versions that are served side by side, as in a gradual
 * deployment, must not be announced in turns.
 */
const maxDigests = 16

/** How long an announcement is recent: the time in which clients reconnect after a deploy. */
const recentMs = 60_000

/** Adds a digest; `null` where it was announced before. */
export function addDigest(
  { digests }: AnnouncedRegistries,
  digest: string,
  now: number,
): AnnouncedRegistries | null {
  if (digests.includes(digest)) return null
  // a first registry replaces none, so no client holds an older list
  const since = digests.length === 0 ? 0 : now
  return { digests: [digest, ...digests].slice(0, maxDigests), since }
}

/**
 * Whether a listener that joins now has to be notified of the last announcement. A deploy restarts the
 * hub, so that its listeners are disconnected at that moment.
 */
export function isRecentAnnouncement({ since }: AnnouncedRegistries, now: number): boolean {
  return now - since < recentMs
}
