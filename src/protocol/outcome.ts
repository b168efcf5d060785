import type { Failure } from './failure.ts'
import type { MessageStream } from './message.ts'

/** How long a result stays fresh and for whom (server/utilities/caching). */
export interface CacheHints {
  readonly ttlMs: number
  readonly cacheScope: 'public' | 'private'
}

/** How a result came through the server's own cache. */
export interface Kept {
  /** It was there, and nothing was run for it. */
  readonly isHit: boolean
  /** Whole seconds since it was made. */
  readonly age: number
  /** Milliseconds that it was fresh for when it was made. */
  readonly ttlMs: number
}

/**
 * What a handler makes of a request. `members` is the result as JSON text without its outer braces:
 * lists are printed by the build, and joining text costs less than building the objects again.
 */
export type Outcome =
  | {
      readonly kind: 'result'
      readonly members: string
      /** Entries of `_meta` that stand beside `serverInfo`, as JSON text. */
      readonly meta?: string
      /** For whom and how long clients may keep it; not at all unless said. */
      readonly cache?: CacheHints
      readonly kept?: Kept
    }
  /** The client has to bring something before there can be a result (basic/patterns/mrtr). */
  | { readonly kind: 'input-required'; readonly members: string }
  | StreamedOutcome
  | { readonly kind: 'failure'; readonly failure: Failure }

/** Prints the members of a result object as {@link Outcome} wants them. */
export function toMembers(result: object): string {
  return JSON.stringify(result).slice(1, -1)
}

/** Tells a tool's result that is an error from any other, by its members. */
export function isErrorResult(members: string): boolean {
  // only a member of the result itself can end like this: a deeper one has a bracket behind it
  return members.endsWith('"isError":true')
}

/** Ends a walk with a {@link Failure}. */
export function fail(failure: Failure): { readonly kind: 'failure'; readonly failure: Failure } {
  return { kind: 'failure', failure }
}

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
