import type { Failure } from './failure.ts'
import type { MessageStream } from './message.ts'

/** How long a result is fresh, and for whom (server/utilities/caching). */
export interface CacheHints {
  readonly ttlMs: number
  readonly cacheScope: 'public' | 'private'
}

/** How a result came through the server's own cache. */
export interface CacheInfo {
  /** The cache had it, and no author's code ran for it. */
  readonly isHit: boolean
  readonly ageSeconds: number
  /** Milliseconds for which it was fresh when it was computed. */
  readonly ttlMs: number
}

/**
 * A result. `members` is its JSON text without the outer braces: joining text costs less than building
 * objects again.
 */
export interface ResultOutcome {
  readonly kind: 'result'
  readonly members: string
  /** The bytes of `members`, if they were counted once for many calls. */
  readonly bytes?: number
  /** It was sanitized once for many calls, so the exit need not do it again. */
  readonly isClean?: true
  /** Entries of `_meta` besides `serverInfo`, as JSON text. */
  readonly meta?: string
  /** Headers of the response, besides those of every result. */
  readonly headers?: Readonly<Record<string, string>>
  /** How long and for whom clients may cache it; by default not at all. */
  readonly hints?: CacheHints | undefined
  readonly cached?: CacheInfo
  /**
   * The id of the error's line in the log, for an `isError` result that reports a fault and for a list
   * that lacks entries because of one. Such a result is not cached.
   */
  readonly errorId?: string
}

/** The result that ends a stream, as JSON text without the outer braces. */
export type StreamedResult = Pick<ResultOutcome, 'members' | 'meta'>

/** A response that is a stream from its first byte: `run` sends on it, and resolves with its end. */
export interface StreamOutcome {
  readonly kind: 'stream'
  readonly run: (stream: MessageStream) => Promise<StreamedResult | FailureOutcome | SilentEnd>
}

export interface FailureOutcome {
  readonly kind: 'failure'
  readonly failure: Failure
}

/**
 * The end of a stream without a response: that of a call which its client cancelled, or of
 * notifications.
 */
export interface SilentEnd {
  readonly kind: 'cancelled' | 'closed'
  /** The client must not open the stream again. */
  readonly isOver: boolean
}

/** An outcome that is one JSON-RPC message. */
export type FinalOutcome =
  | ResultOutcome
  /** The client must answer questions before there is a result (basic/patterns/mrtr). */
  | { readonly kind: 'input-required'; readonly members: string }
  | FailureOutcome

/** How a request without a JSON-RPC response ends: a preflight, a list by GET, an acknowledgement. */
export interface HttpOutcome {
  readonly kind: 'http'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** JSON text, or `null` for no body. */
  readonly body: string | null
  readonly cached?: CacheInfo
}

/** How a JSON-RPC request ends. A step that ends it returns one; any other step returns `null`. */
export type Outcome = FinalOutcome | StreamOutcome

export function toMembers(result: object): string {
  return JSON.stringify(result).slice(1, -1)
}

/** Whether the members are those of a tool's result with `isError`. */
export function isErrorResult(members: string): boolean {
  // only a member of the result itself can end the text: a nested one is followed by a bracket
  return members.endsWith('"isError":true')
}

/** A result without members, such as that of `ping`. */
export const emptyResult: ResultOutcome = { kind: 'result', members: '', isClean: true }

export function fail(failure: Failure): FailureOutcome {
  return { kind: 'failure', failure }
}
