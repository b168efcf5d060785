import type { MessageStream, ServerNotification, ServerRequest } from '../protocol/message.ts'
import { endsQuickly } from '../util/microtasks.ts'

/** The headers of a stream. The second one stops proxies from buffering it. */
export const sseHeaders = {
  'Content-Type': 'text/event-stream',
  'X-Accel-Buffering': 'no',
} as const

/**
 * Keeps a silent stream open. Readers skip comments, while an event such as `ping` is not part of
 * MCP.
 */
const sseComment = ':\n\n'

/**
 * Prints one JSON-RPC message as a server-sent event. Compact JSON has no line breaks, so it fits
 * on one `data:` line; an event without a name is a `message` event.
 */
export function toSseEvent(json: string): string {
  return `data: ${json}\n\n`
}

/**
 * The ids of a stream that a client may ask for again after its connection broke, as events without
 * a message (2025-11-25, basic/transports, "Resumability and Redelivery").
 */
export interface StreamIds {
  /** The id that the stream begins with; `null` if it has none. */
  readonly opening: string | null
  /** The id that says that the stream is complete. */
  readonly closing: string
  /** Milliseconds after which the client connects again. */
  readonly retryMs: number
}

/** Milliseconds between two comments, because proxies close silent streams. */
const keepAliveMs = 15_000
/**
 * Milliseconds between two comments at the beginning of a call: only a write shows that a client has
 * disconnected, behind a proxy only the second one, and the call must end soon after that.
 */
const watchMs = 1_000
/** How long the response to a call is watched so closely. */
const watchedMs = 60_000
/** Unread bytes after which notifications to a slow client are dropped, but never the response. */
const maxBacklog = 1_048_576

const encoder = new TextEncoder()

type PrintMessage = (message: ServerNotification | ServerRequest) => string

/** A reply as server-sent events (basic/transports/streamable-http). */
export class EventStream implements MessageStream {
  readonly body: ReadableStream<Uint8Array>
  readonly signal: AbortSignal
  readonly #print: PrintMessage
  readonly #ids: StreamIds | null
  readonly #watchedUntil: number
  #writer: ReadableStreamDefaultController<Uint8Array> | null = null
  #timer: ReturnType<typeof setTimeout> | null = null

  /**
   * Opens a stream, with a comment because the edge holds back a reply until its first byte. `gone`
   * is aborted when the client disconnects, which is noticed sooner in the first `watched` milliseconds.
   */
  constructor(
    gone: AbortController,
    print: PrintMessage,
    watched: number = watchedMs,
    ids: StreamIds | null = null,
  ) {
    this.signal = gone.signal
    this.#print = print
    this.#ids = ids
    this.#watchedUntil = Date.now() + watched
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
    if (ids !== null && ids.opening !== null) {
      this.#write(`id: ${ids.opening}\nretry: ${ids.retryMs}\ndata: \n\n`)
    }
    this.#comment()
  }

  backlog(): number {
    return maxBacklog - (this.#writer?.desiredSize ?? maxBacklog)
  }

  send(notification: ServerNotification): void {
    if (this.backlog() < maxBacklog) this.#write(toSseEvent(this.#print(notification)))
  }

  /** Sends a request to the client. Unlike a notification it is never dropped: the call waits for it. */
  request(request: ServerRequest): void {
    this.#write(toSseEvent(this.#print(request)))
  }

  /** Writes the response and closes the stream. */
  end(message: string): void {
    this.#write(`${this.#toClosing()}${toSseEvent(message)}`)
    this.#finish()
  }

  /** Closes the stream without a response. If it `isOver`, the client must not open it again. */
  close(isOver: boolean): void {
    const closing = isOver ? this.#toClosing() : ''
    if (closing !== '') this.#write(`${closing}data: \n\n`)
    this.#finish()
  }

  /** A client that knows the id asks for nothing more, even if the response is an error. */
  #toClosing(): string {
    return this.#ids === null ? '' : `id: ${this.#ids.closing}\n`
  }

  #finish(): void {
    this.#writer?.close()
    this.#close()
  }

  /** Writes a comment now, and others until the stream ends. */
  #comment(): void {
    this.#write(sseComment)
    const ms = Date.now() < this.#watchedUntil ? watchMs : keepAliveMs
    // the timer ends with the stream; with waitUntil the platform would cut it off
    this.#timer = setTimeout(() => this.#comment(), ms)
  }

  #write(text: string): void {
    this.#writer?.enqueue(encoder.encode(text))
  }

  #close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#writer = null
  }
}

/** The request, whose signal aborts when the client disconnects. */
type Client = Pick<Request, 'signal'>

/** Milliseconds without a reply after which it becomes a stream. */
const graceMs = 1_000

/**
 * The connection to a client during its request. At the first notification, or when the client has
 * waited for a while, the reply becomes a stream.
 */
export class ReplyChannel {
  readonly #client: Client | null
  readonly #print: PrintMessage
  readonly #toIds: (() => StreamIds) | null
  #gone: AbortController | null = null
  #stream: EventStream | null = null
  #onOpen: ((stream: EventStream) => void) | null = null

  /** `null` for work without a client. */
  constructor(client: Client | null, print: PrintMessage, toIds: (() => StreamIds) | null = null) {
    this.#client = client
    this.#print = print
    this.#toIds = toIds
  }

  get signal(): AbortSignal {
    return this.#toGone().signal
  }

  /** `null` until the reply has become a stream. */
  get opened(): EventStream | null {
    return this.#stream
  }

  /** `watched` is 0 for a stream that stays open for long. */
  open(watched?: number): EventStream {
    this.#stream ??= new EventStream(
      this.#toGone(),
      this.#print,
      watched,
      this.#toIds === null ? null : this.#toIds(),
    )
    this.#onOpen?.(this.#stream)
    return this.#stream
  }

  /** Ends the work of this request, as if the client had disconnected. */
  abort(reason: Error): void {
    this.#toGone().abort(reason)
  }

  /** Waits for work, or until the reply has become a stream. */
  async race<Value>(work: Promise<Value>): Promise<Value | EventStream> {
    const isQuick = await endsQuickly(work)
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

  // created when it is first read: most requests end before a client could disconnect
  #toGone(): AbortController {
    if (this.#gone !== null) return this.#gone
    const gone = new AbortController()
    this.#gone = gone
    const client = this.#client
    if (client === null) return gone
    // a disconnect aborts the request's signal or cancels the stream, whichever is used first
    const { signal } = client
    signal.addEventListener('abort', () => gone.abort(signal.reason))
    // the client may have disconnected before this is read
    if (signal.aborted) gone.abort(signal.reason)
    return gone
  }
}
