import { BoundedMap } from '../util/bounded-map.ts'

/** The header by which a running call joins the object of its session. */
export const runningCallHeader = 'Helve-Running-Call'

/** `call` is the digest of its caller and id. */
export function toRunningCallText(call: string, ageMs: number): string {
  return `${ageMs} ${call}`
}

/** Reads what {@link toRunningCallText} wrote; `null` for anything else. */
function readRunningCall(text: string | null): { call: string; ageMs: number } | null {
  const [, age, call] = /^(\d+) (\S+)$/.exec(text ?? '') ?? []
  return call === undefined ? null : { call, ageMs: Number(age) }
}

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
    const running = readRunningCall(request.headers.get(runningCallHeader))
    if (running === null) return null
    const { call, ageMs } = running
    const { 0: theirs, 1: ours } = new WebSocketPair()
    this.#state.acceptWebSocket(ours, [toTag(call)])
    const began = Date.now() - ageMs - slackMs
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

// apart from the tag of questions: their sockets may be in the same object
function toTag(call: string): string {
  return `call:${call}`
}
