import type { CacheHints, Outcome } from '../wire/outcome.ts'

/** Adds the caching hints to a result, and leaves a failure as it is (server/utilities/caching). */
export function toCacheable(outcome: Outcome, cache: CacheHints): Outcome {
  return outcome.kind === 'result' ? { ...outcome, cache } : outcome
}
