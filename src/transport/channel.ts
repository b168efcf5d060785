import { endsQuickly } from '../kit/quick.ts'
import type { ServerNotification } from '../wire/message-stream.ts'
import { createEventStream, type EventStream } from './event-stream.ts'

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
