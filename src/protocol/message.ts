import type { JsonObject } from './json.ts'

/** A JSON-RPC request id: a string or a safe integer, never `null` (basic/index, "Requests"). */
export type RequestId = string | number

/** A JSON-RPC request whose envelope is sound; its `params` are still the client's. */
export interface RequestMessage {
  readonly kind: 'request'
  readonly id: RequestId
  readonly method: string
  readonly params: JsonObject
}

/** A JSON-RPC notification: it has no id and gets no response. */
interface NotificationMessage {
  readonly kind: 'notification'
  readonly method: string
  readonly params: JsonObject
}

/** What a client may post: one request or one notification, never a batch or a response. */
export type Message = RequestMessage | NotificationMessage

/** A JSON-RPC notification from the server; it belongs to the request whose stream carries it. */
export interface ServerNotification {
  readonly method: string
  readonly params?: object
}

/** The open reply of one request, while it is a stream (basic/transports/streamable-http). */
export interface MessageStream {
  /** Sends a notification; after the stream's end, or once the client has gone, it does nothing. */
  readonly send: (notification: ServerNotification) => void
  /** Bytes that were sent and that the client has not taken yet. */
  readonly backlog: () => number
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal
}
