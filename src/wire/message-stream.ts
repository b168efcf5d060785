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
