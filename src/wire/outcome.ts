import type { Failure } from './failure.ts'

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
  | { readonly kind: 'result'; readonly members: string; readonly cache?: CacheHints }
  | { readonly kind: 'failure'; readonly failure: Failure }

/** Prints the members of a result object as {@link Outcome} wants them. */
export function toMembers(result: object): string {
  return JSON.stringify(result).slice(1, -1)
}

/** Ends a walk with a {@link Failure}. */
export function fail(failure: Failure): { readonly kind: 'failure'; readonly failure: Failure } {
  return { kind: 'failure', failure }
}
