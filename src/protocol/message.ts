import type { JsonObject } from './json.ts'

/** A JSON-RPC request id: a string or a safe integer, never `null` (basic/index, "Requests"). */
export type RequestId = string | number

/** A valid JSON-RPC request. Its `params` are not checked yet. */
export interface RequestMessage {
  readonly kind: 'request'
  readonly id: RequestId
  readonly method: string
  readonly params: JsonObject
}

/** A JSON-RPC notification, which gets no response. */
interface NotificationMessage {
  readonly kind: 'notification'
  readonly method: string
  readonly params: JsonObject
}

/** What a client of revision 2026-07-28 may send: never a batch or a response. */
export type Message = RequestMessage | NotificationMessage

/** The response to a request of the server, which only earlier revisions have. */
export interface ResponseMessage {
  readonly kind: 'response'
  readonly id: RequestId
  /** The `result` or the `error` of the response. */
  readonly answer: { readonly result: unknown } | { readonly error: unknown }
}

/** A notification to the client, on the stream of the request that it belongs to. */
export interface ServerNotification {
  readonly method: string
  readonly params?: NotificationParams
}

/** A request to the client, which earlier revisions send on the stream of its own request. */
export interface ServerRequest {
  /** Sealed, so that only the client that was asked can answer. */
  readonly id: string
  readonly method: string
  readonly params?: JsonObject
}

interface NotificationParams extends JsonObject {
  readonly progressToken?: string | number
  readonly requestId?: RequestId
  /** Has the id of a subscription, and nothing else. */
  readonly _meta?: JsonObject
}

/** The response to a request, while it is an open stream (basic/transports/streamable-http). */
export interface MessageStream {
  /** Sends a notification. Does nothing after the stream has ended or the client has disconnected. */
  readonly send: (notification: ServerNotification) => void
  /** Bytes that were sent and that the client has not read yet. */
  readonly backlog: () => number
  readonly signal: AbortSignal
}
