import type { MessageStream, ServerNotification } from '../protocol/message.ts'
import { endsQuickly } from '../util/microtasks.ts'

/** The headers of a stream; the second keeps proxies from holding it back. */
export const sseHeaders = {
  'Content-Type': 'text/event-stream',
  'X-Accel-Buffering': 'no',
} as const

/** Keeps a silent stream open; readers skip it (an event that says `ping` is not part of MCP). */
const sseComment = ':\n\n'

/**
 * Prints one JSON-RPC message as a server-sent event. Compact JSON has no line breaks, so it fits one
 * `data:` line, and an event without a name is a `message` event already.
 */
export function toSseEvent(json: string): string {
  return `data: ${json}\n\n`
}

/** A comment at least this often: proxies cut what is silent, and only a write shows who has gone. */
const keepAliveMs = 15_000
/** Bytes that may wait for a slow reader. Past them notifications are dropped, never the response. */
const maxBacklog = 1_048_576

const encoder = new TextEncoder()

type PrintNotification = (notification: ServerNotification) => string

/** A reply that is being written as server-sent events (basic/transports/streamable-http). */
export class EventStream implements MessageStream {
  readonly body: ReadableStream<Uint8Array>
  readonly signal: AbortSignal
  readonly #print: PrintNotification
  #writer: ReadableStreamDefaultController<Uint8Array> | null = null
  #timer: ReturnType<typeof setInterval>

  /**
   * Opens a stream with a comment at once, since the edge holds back a reply until its first byte.
   * `gone` is aborted when its reader leaves.
   */
  constructor(gone: AbortController, print: PrintNotification) {
    this.signal = gone.signal
    this.#print = print
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#writer = controller
        },
        cancel: () => {
          this.#close()
          gone.abort(new Error('The client closed its connection.'))
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark: maxBacklog }),
    )
    // the timer belongs to the stream and ends with it: no waitUntil, which the platform would cut off
    this.#timer = setInterval(() => this.#write(sseComment), keepAliveMs)
    this.#write(sseComment)
  }

  backlog(): number {
    return maxBacklog - (this.#writer?.desiredSize ?? maxBacklog)
  }

  send(notification: ServerNotification): void {
    if (this.backlog() < maxBacklog) this.#write(toSseEvent(this.#print(notification)))
  }

  /** Writes the response that completes the reply, and closes it. */
  end(message: string): void {
    this.#write(toSseEvent(message))
    this.#writer?.close()
    this.#close()
  }

  #write(text: string): void {
    this.#writer?.enqueue(encoder.encode(text))
  }

  #close(): void {
    clearInterval(this.#timer)
    this.#writer = null
  }
}

/** The request of a client; its signal aborts when the client goes. */
type Client = Pick<Request, 'signal'>

/** How long a client waits in silence before its reply becomes a stream. */
const graceMs = 2_000

/**
 * The way back to a client while its request is being answered. It is nothing until the first
 * notification, or until the client has waited in silence for a while: then it is a stream.
 */
export class ReplyChannel {
  readonly #client: Client | null
  readonly #print: PrintNotification
  #gone: AbortController | null = null
  #stream: EventStream | null = null
  #onOpen: ((stream: EventStream) => void) | null = null

  /** `null` is for work that no client waits for. */
  constructor(client: Client | null, print: PrintNotification) {
    this.#client = client
    this.#print = print
  }

  /** Aborts when the client has gone. */
  get signal(): AbortSignal {
    return this.#toGone().signal
  }

  /** The stream that the reply has become; `null` while it is none. */
  get opened(): EventStream | null {
    return this.#stream
  }

  /** Makes the reply a stream now. */
  open(): EventStream {
    this.#stream ??= new EventStream(this.#toGone(), this.#print)
    this.#onOpen?.(this.#stream)
    return this.#stream
  }

  /** Waits for work, or for the stream that the reply has become by then. */
  async race<Value>(work: Promise<Value>): Promise<Value | EventStream> {
    const isQuick = await endsQuickly(work)
    // the work may have sent something already
    if (this.#stream !== null) return this.#stream
    return isQuick ? work : this.#waitFor(work)
  }

  async #waitFor<Value>(work: Promise<Value>): Promise<Value | EventStream> {
    const opened = new Promise<EventStream>((resolve) => {
      this.#onOpen = resolve
    })
    const timer = setTimeout(() => this.open(), graceMs)
    try {
      return await Promise.race([work, opened])
    } finally {
      clearTimeout(timer)
    }
  }

  // created when it is first asked for: most requests are over before anybody could leave
  #toGone(): AbortController {
    if (this.#gone !== null) return this.#gone
    const gone = new AbortController()
    this.#gone = gone
    const client = this.#client
    if (client === null) return gone
    // a disconnect is seen by the request or by its stream, whichever is touched first
    const { signal } = client
    signal.addEventListener('abort', () => gone.abort(signal.reason))
    // the client may have gone before anything asked
    if (signal.aborted) gone.abort(signal.reason)
    return gone
  }
}
