import { DurableObject } from 'cloudflare:workers'
import {
  type HubEvent,
  type HubMember,
  keepMember,
  listKinds,
  listenerHeader,
  ping,
  pong,
  readListener,
  readMember,
  tell,
  toDeadline,
  toDelivery,
} from './hub-listener.ts'

const windowMs = 100
const keyBytes = 32
const everyList = listKinds.map((list): HubEvent => ({ kind: 'list-changed', list, needs: [] }))

/**
 * The Durable Object in which the `subscriptions/listen` streams of all isolates meet: one
 * hibernatable WebSocket a listener. It also keeps the server's own key, and knows which registries
 * have been announced. What it stores is in docs/storage.md.
 */
export class Hub extends DurableObject {
  readonly #publish: (event: HubEvent) => void

  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env)
    this.#publish = createCoalescer(windowMs, (events) => this.#deliver(events))
    // the runtime answers: a sign of life neither wakes the hub nor costs duration
    state.setWebSocketAutoResponse(new WebSocketRequestResponsePair(ping, pong))
  }

  /** Lets a listener join, by a WebSocket upgrade that names it in a header. */
  override async fetch(request: Request): Promise<Response> {
    const listener = readListener(request.headers.get(listenerHeader) ?? '')
    if (listener === null) return new Response('The listener cannot be read.', { status: 400 })
    // before it joins, so that the first of a new version hears of it once: below, as news
    this.announce(listener.digest)

    const { 0: theirs, 1: ours } = new WebSocketPair()
    const member: HubMember = { socket: ours, listener, joined: Date.now() }
    this.ctx.acceptWebSocket(ours)
    keepMember(member)
    if (isNews(this.#announced(), member.joined)) tell(member, toDelivery(listener, everyList))
    await this.#watch(this.#deadlineOf(member))
    return new Response(null, { status: 101, webSocket: theirs })
  }

  /**
   * Tells the listeners of an event within 100 ms. It returns before that: should the object stop in
   * between, its sockets close, and every listener learns that its stream has ended.
   */
  publish(event: HubEvent): void {
    this.#publish(event)
  }

  /** Tells the listeners that all lists changed, once for each digest; `false` for a known one. */
  announce(digest: string): boolean {
    const announced = announce(this.#announced(), digest, Date.now())
    if (announced === null) return false
    this.ctx.storage.kv.put('announced', announced)
    // at once: who joins within a window would hear of it twice
    this.#deliver(everyList)
    return true
  }

  /** The key of a server that was given none: random, made once and kept for good. */
  stateKey(): Uint8Array {
    const { kv } = this.ctx.storage
    const kept = kv.get<Uint8Array>('state-key')
    if (kept !== undefined) return kept
    const key = crypto.getRandomValues(new Uint8Array(keyBytes))
    kv.put('state-key', key)
    return key
  }

  /** Sends away who has vanished or is past its end. It runs only while there are listeners. */
  override async alarm(): Promise<void> {
    const now = Date.now()
    const deadlines = this.#members().map((member) => {
      const deadline = this.#deadlineOf(member)
      if (deadline <= now) member.socket.close(1001, 'No sign of life, or past its end.')
      return deadline
    })
    const next = Math.min(...deadlines.filter((deadline) => deadline > now))
    if (next < Infinity) await this.#watch(next)
  }

  #deliver(events: readonly HubEvent[]): void {
    const now = Date.now()
    for (const member of this.#members()) {
      if (this.#deadlineOf(member) > now) tell(member, toDelivery(member.listener, events))
    }
  }

  #members(): HubMember[] {
    return this.ctx
      .getWebSockets()
      .map(readMember)
      .filter((member) => member !== null)
  }

  #deadlineOf({ socket, listener, joined }: HubMember): number {
    const pinged = this.ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? null
    return toDeadline({ joined, pinged, until: listener.until })
  }

  #announced(): Announced {
    return this.ctx.storage.kv.get<Announced>('announced') ?? nothingAnnounced
  }

  async #watch(deadline: number): Promise<void> {
    // one alarm for all, so that most joins write nothing
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(deadline)
  }
}

/**
 * Gathers what happens within `windowMs` of the first event and hands it on at once, equal events
 * as one. Nothing is pending between windows, so that a Durable Object can hibernate there.
 */
function createCoalescer<Event>(
  windowMs: number,
  handOn: (events: readonly Event[]) => void,
): (event: Event) => void {
  const waiting = new Map<string, Event>()
  return (event) => {
    if (waiting.size === 0) {
      setTimeout(() => {
        const events = [...waiting.values()]
        waiting.clear()
        handOn(events)
      }, windowMs)
    }
    waiting.set(JSON.stringify(event), event)
  }
}

/** The registries that a hub has told its listeners of. */
interface Announced {
  /** Their digests, newest first. */
  readonly digests: readonly string[]
  /** When the newest one took the place of another, in milliseconds since 1970; 0 for the first. */
  readonly since: number
}

export const nothingAnnounced: Announced = { digests: [], since: 0 }

/**
 * How many digests are remembered. Versions that are served side by side, as in a gradual
 * deployment, must not announce themselves in turns.
 */
const remembered = 16

/** How long an announcement is news: the time that clients take to come back after a deploy. */
const newsMs = 60_000

/** Adds a digest, or says `null` where it was announced before. */
export function announce({ digests }: Announced, digest: string, now: number): Announced | null {
  if (digests.includes(digest)) return null
  // a first registry replaces none, so nobody can hold an older list
  const since = digests.length === 0 ? 0 : now
  return { digests: [digest, ...digests].slice(0, remembered), since }
}

/**
 * Tells whether a listener that joins now has to be told of the last announcement. A deploy restarts
 * the hub, so that those whom it concerns are away at that very moment.
 */
export function isNews({ since }: Announced, now: number): boolean {
  return now - since < newsMs
}
