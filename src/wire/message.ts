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
export interface NotificationMessage {
  readonly kind: 'notification'
  readonly method: string
  readonly params: JsonObject
}

/** What a client may post: one request or one notification, never a batch or a response. */
export type Message = RequestMessage | NotificationMessage
