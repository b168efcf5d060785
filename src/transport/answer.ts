import type { Failure } from '../wire/failure.ts'
import type { RequestId } from '../wire/message.ts'
import type { Outcome } from '../wire/outcome.ts'
import type { StreamedOutcome } from '../wire/streamed-outcome.ts'
import type { MediaType } from './accept.ts'
import type { EventStream } from './event-stream.ts'

/** Ends a walk early; the id is there as soon as it could be read. */
export interface Refusal {
  readonly kind: 'refusal'
  readonly failure: Failure
  readonly id?: RequestId
}

/** An outcome that one message says. */
export type FinalOutcome = Exclude<Outcome, StreamedOutcome>

/** What the walk of one HTTP request comes to. `respond` alone makes a `Response` of it. */
export type Answer =
  | Refusal
  | { readonly kind: 'preflight'; readonly requestedHeaders: string }
  | { readonly kind: 'options'; readonly allow: string }
  /** The protected resource metadata (RFC 9728). */
  | { readonly kind: 'metadata'; readonly document: object }
  | { readonly kind: 'metadata-preflight' }
  /** A list as a plain document, or that it has not changed. */
  | {
      readonly kind: 'document'
      readonly status: 200 | 304 | 400 | 500
      readonly body: string | null
      readonly headers: Readonly<Record<string, string>>
    }
  | { readonly kind: 'accepted' }
  | {
      readonly kind: 'reply'
      readonly id: RequestId
      readonly mediaType: MediaType
      readonly outcome: FinalOutcome
    }
  | {
      readonly kind: 'stream'
      readonly id: RequestId
      readonly stream: EventStream
      /** What ends the stream; it never rejects. */
      readonly outcome: Promise<FinalOutcome>
    }

/** Makes a {@link Refusal} of a {@link Failure}. */
export function refuse(failure: Failure, id?: RequestId): Refusal {
  return id === undefined ? { kind: 'refusal', failure } : { kind: 'refusal', failure, id }
}
