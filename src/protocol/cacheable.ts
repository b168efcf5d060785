import type { CacheHints, Outcome } from '../wire/outcome.ts'

/** Adds the caching hints to a result, and leaves a failure as it is (server/utilities/caching). */
export function toCacheable(outcome: Outcome, cache: CacheHints): Outcome {
  if (outcome.kind !== 'result') return outcome
  const hints = `,"ttlMs":${cache.ttlMs},"cacheScope":"${cache.cacheScope}"`
  return { kind: 'result', members: outcome.members + hints, cache }
}
