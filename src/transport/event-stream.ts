import type { MessageStream, ServerNotification } from '../wire/message-stream.ts'
import { sseComment, toSseEvent } from './sse.ts'

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
export function createEventStream(gone: AbortController): EventStream {
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
