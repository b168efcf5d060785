import type { PurgeScope, WorkersCacheStore } from './store.ts'

/** `ctx.cache` of an invocation: https://developers.cloudflare.com/workers/cache/purge/. */
export function toCacheContext(
  store: WorkersCacheStore,
  scope: PurgeScope,
  now: () => number,
  findRefusals: () => readonly CachePurgeError[],
): CacheContext {
  const attempt = (options: CachePurgeOptions, carryOut: () => void): CachePurgeResult => {
    const problem = findProblem(options)
    // the documentation has no codes: this one is the stand-in's own
    const errors = problem === null ? [...findRefusals()] : [{ code: 1, message: problem }]
    if (errors.length === 0) carryOut()
    return { success: errors.length === 0, errors }
  }
  return {
    purge: async (options) => attempt(options, () => store.purge(scope, options)),
    invalidate: async (options) => attempt(options, () => store.invalidate(scope, options, now())),
  }
}

/** Returns why the options of a purge are invalid; `null` if they are valid. */
function findProblem({ tags, pathPrefixes, purgeEverything }: CachePurgeOptions): string | null {
  if (purgeEverything) {
    return tags || pathPrefixes
      ? 'purgeEverything cannot be combined with tags or pathPrefixes.'
      : null
  }
  if (!tags && !pathPrefixes) return 'Set tags, pathPrefixes or purgeEverything.'
  const stray = pathPrefixes?.find((prefix) => /:\/\/|[?#]/.test(prefix))
  return stray === undefined ? null : `${stray} is not a path.`
}
