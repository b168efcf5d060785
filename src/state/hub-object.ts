import { DurableObject } from 'cloudflare:workers'
import { announce, isNews, nothingAnnounced, type Announced } from './announced.ts'
import { createCoalescer } from './coalesce.ts'
import { toDelivery } from './delivery.ts'
import type { HubEvent } from './hub-event.ts'
import { keepMember, readMember, tell, type HubMember } from './hub-member.ts'
import { listenerHeader, ping, pong } from './hub-protocol.ts'
import { listKinds, readListener } from './listener.ts'
import { toDeadline } from './liveness.ts'

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
