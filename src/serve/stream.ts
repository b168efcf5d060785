import type { MessageStream, ServerNotification } from '../protocol/message.ts'
import { endsQuickly } from '../util/microtasks.ts'

/** A reply that is being written as server-sent events. */
export interface EventStream extends MessageStream {
  readonly body: ReadableStream<Uint8Array>
  /** Writes the response that completes the reply, and closes it. */
  readonly end: (message: string) => void
}

/** A comment at least this often: proxies cut what is silent, and only a write shows who has gone. */
const keepAliveMs = 15_000
/** Bytes that may wait for a slow reader. Past them notifications are dropped, never the response. */
const maxBacklog = 1_048_576

const encoder = new TextEncoder()

/**
 * Opens a stream with a comment at once, since the edge holds back a reply until its first byte
 * (basic/transports/streamable-http, "Receiving Messages"). `gone` is aborted when its reader leaves.
 */
function createEventStream(gone: AbortController): EventStream {
  let writer: ReadableStreamDefaultController<Uint8Array> | null = null
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        writer = controller
      },
      cancel() {
        close()
        gone.abort(new Error('The client closed its connection.'))
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: maxBacklog }),
  )
  const write = (text: string): void => writer?.enqueue(encoder.encode(text))
  const backlog = (): number => maxBacklog - (writer?.desiredSize ?? maxBacklog)
  // the timer belongs to the stream and ends with it: no waitUntil, which the platform would cut off
  const timer = setInterval(write, keepAliveMs, sseComment)
  const close = (): void => {
    clearInterval(timer)
    writer = null
  }

  write(sseComment)
  return {
    body,
    backlog,
    signal: gone.signal,
    send(notification: ServerNotification) {
      if (backlog() < maxBacklog) write(toSseEvent(toMessage(notification)))
    },
    end(message) {
      write(toSseEvent(message))
      writer?.close()
      close()
    },
  }
}

function toMessage(notification: ServerNotification): string {
  return JSON.stringify({ jsonrpc: '2.0', ...notification })
}

/** The headers of a stream; the second keeps proxies from holding it back. */
export const sseHeaders = {
  'Content-Type': 'text/event-stream',
  'X-Accel-Buffering': 'no',
} as const

/** Keeps a silent stream open; readers pass over it (an event that says `ping` is not of MCP). */
const sseComment = ':\n\n'

/**
 * Prints one JSON-RPC message as a server-sent event. JSON text without layout has no line breaks,
 * so that it fits one `data:` line, and an event without a name is a `message` event already.
 */
export function toSseEvent(json: string): string {
  return `data: ${json}\n\n`
}

/**
 * The way back to a client while its request is being answered. It is nothing until the first
 * notification, or until the client has waited in silence for a while: then it is a stream.
 */
export interface Channel {
  readonly emit: (notification: ServerNotification) => void
  /** What aborts when the client has gone. */
  readonly signal: () => AbortSignal
  /** Waits for work, or for the stream that it has become by then. */
  readonly race: <Value>(work: Promise<Value>) => Promise<Value | EventStream>
  /** Makes it a stream now. */
  readonly open: () => EventStream
}

/** How long a client waits in silence before its reply becomes a stream. */
const graceMs = 2_000

/** Makes the channel of one request. Without `streams` its client reads no stream, and gets none. */
export function createChannel(request: Request, streams: boolean): Channel {
  let gone: AbortController | null = null
  let stream: EventStream | null = null
  let isOver = !streams
  let onOpen: ((stream: EventStream) => void) | null = null

  // made when first asked for: most requests are over before anybody could leave
  const toGone = (): AbortController => {
    if (gone !== null) return gone
    const controller = new AbortController()
    gone = controller
    // a disconnect is seen by the request or by its stream, whichever is touched first
    request.signal.addEventListener('abort', () => controller.abort(request.signal.reason))
    return controller
  }
  const open = (): EventStream => {
    stream ??= createEventStream(toGone())
    onOpen?.(stream)
    return stream
  }
  const waitFor = async <Value>(work: Promise<Value>): Promise<Value | EventStream> => {
    const opened = new Promise<EventStream>((resolve) => {
      onOpen = resolve
    })
    const timer = setTimeout(open, graceMs)
    const first = await Promise.race([work, opened])
    clearTimeout(timer)
    return first
  }
  return {
    open,
    signal: () => toGone().signal,
    emit(notification) {
      if (!isOver) open().send(notification)
    },
    async race(work) {
      if (!streams) return work
      const quick = await endsQuickly(work)
      // the work may have sent something already
      if (stream !== null) return stream
      const first = quick ? await work : await waitFor(work)
      // what comes after a reply has nowhere to go
      isOver = first !== stream
      return first
    },
  }
}
