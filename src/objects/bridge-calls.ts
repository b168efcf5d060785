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

/** What a running call is told: its client has cancelled it, or has ended its session. */
export type CallNews = 'cancelled' | 'ended'

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

  /**
   * Accepts a running call, and returns its end of the socket; `null` for a request that is none.
   * The session may have ended before the call joins.
   */
  accept(request: Request, isEnded: () => boolean): WebSocket | null {
    const running = readRunningCall(request.headers.get(runningCallHeader))
    if (running === null) return null
    const { call, ageMs } = running
    const { 0: theirs, 1: ours } = new WebSocketPair()
    this.#state.acceptWebSocket(ours, [tag, toTag(call)])
    const began = Date.now() - ageMs - slackMs
    if ((this.#recent.get(call) ?? 0) >= began) send([ours], 'cancelled')
    if (isEnded()) send([ours], 'ended')
    return theirs
  }

  cancel(call: string): void {
    this.#recent.set(call, Date.now())
    send(this.#state.getWebSockets(toTag(call)), 'cancelled')
  }

  /** Tells all calls that their session has ended. */
  endSession(): void {
    send(this.#state.getWebSockets(tag), 'ended')
  }
}

function send(sockets: readonly WebSocket[], news: CallNews): void {
  for (const socket of sockets) if (socket.readyState === WebSocket.OPEN) socket.send(news)
}

// apart from the tag of questions: their sockets may be in the same object
const tag = 'call'

function toTag(call: string): string {
  return `call:${call}`
}
