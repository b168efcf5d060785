import { BoundedMap } from '../util/bounded-map.ts'

/** The header by which a running call joins the object of its session: its age, and its digest. */
export const runningCallHeader = 'Helve-Running-Call'

/** The message to a call that its client has cancelled. */
export const cancelledMessage = 'cancelled'

const maxRecent = 1_000

/** Milliseconds by which a cancellation may seem older than its call, because of the way here. */
const slackMs = 1_000

/**
 * The calls of a session that have been running for a while, in whichever isolate: a hibernatable
 * WebSocket each. Nothing is stored.
 */
export class RunningCalls {
  readonly #state: DurableObjectState
  /** When each call was cancelled: a cancellation may arrive before its call joins. */
  readonly #recent = new BoundedMap<string, number>(maxRecent)

  constructor(state: DurableObjectState) {
    this.#state = state
  }

  /** Accepts a running call, and returns its end of the socket; `null` for a request that is none. */
  accept(request: Request): WebSocket | null {
    const [, age, call] = /^(\d+) (\S+)$/.exec(request.headers.get(runningCallHeader) ?? '') ?? []
    if (call === undefined) return null
    const { 0: theirs, 1: ours } = new WebSocketPair()
    this.#state.acceptWebSocket(ours, [toTag(call)])
    const began = Date.now() - Number(age) - slackMs
    if ((this.#recent.get(call) ?? 0) >= began) ours.send(cancelledMessage)
    return theirs
  }

  cancel(call: string): void {
    this.#recent.set(call, Date.now())
    for (const socket of this.#state.getWebSockets(toTag(call))) {
      if (socket.readyState === WebSocket.OPEN) socket.send(cancelledMessage)
    }
  }
}

// an object may have other sockets
function toTag(call: string): string {
  return `call:${call}`
}
