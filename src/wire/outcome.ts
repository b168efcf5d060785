import type { Failure } from './failure.ts'
import type { StreamedOutcome } from './streamed-outcome.ts'

/** How long a result stays fresh and for whom (server/utilities/caching). */
export interface CacheHints {
  readonly ttlMs: number
  readonly cacheScope: 'public' | 'private'
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
      readonly cache?: CacheHints
    }
  /** The client has to bring something before there can be a result (basic/patterns/mrtr). */
  | { readonly kind: 'input-required'; readonly members: string }
  | StreamedOutcome
  | { readonly kind: 'failure'; readonly failure: Failure }

/** Prints the members of a result object as {@link Outcome} wants them. */
export function toMembers(result: object): string {
  return JSON.stringify(result).slice(1, -1)
}

/** Ends a walk with a {@link Failure}. */
export function fail(failure: Failure): { readonly kind: 'failure'; readonly failure: Failure } {
  return { kind: 'failure', failure }
}
