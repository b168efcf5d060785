import type { CacheHints } from '../wire/outcome.ts'

/**
 * Says a result's `ttlMs` and `cacheScope` again as HTTP (server/utilities/caching). A result that
 * is not fresh for a whole second keeps the `no-store` that every reply begins with.
 */
export function toCacheControl(cache: CacheHints | undefined): Record<string, string> {
  const seconds = Math.floor((cache?.ttlMs ?? 0) / 1000)
  if (cache === undefined || seconds === 0) return {}
  return { 'Cache-Control': `${cache.cacheScope}, max-age=${seconds}` }
}
