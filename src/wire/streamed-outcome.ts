import type { MessageStream } from './message-stream.ts'

/** The result that ends a stream, as JSON text without the outer braces. */
export interface StreamedResult {
  readonly members: string
  /** Entries of the result's `_meta`, which stand beside `serverInfo`; none unless said. */
  readonly meta?: string
}

/** A reply that is a stream from its first byte: `run` sends on it and resolves with its end. */
export interface StreamedOutcome {
  readonly kind: 'stream'
  readonly run: (stream: MessageStream) => Promise<StreamedResult>
}
