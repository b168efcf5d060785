import { type Audience, type Lookup, readLookupUrl } from '../cache/cache-key.ts'
import type { Fill } from '../cache/read-through.ts'
import { Call } from './call.ts'
import { runPipeline } from './pipeline.ts'
import { toCachedRowsWork } from './resources-list.ts'
import { toCachedResourceWork } from './resources.ts'
import type { Settings } from './settings.ts'
import { toCachedToolWork } from './tools.ts'
import type { Work } from './work.ts'

/**
 * Creates the function that makes a result from its cache key, for the cached entrypoint and where there is no cache. The call
 * knows no more than the key says: there is no client to stream to, and none whose leaving should end
 * the work. `null` for a key under which nothing is cached: it may come from outside the isolate.
 */
export function createFill(toSettings: () => Settings): Fill {
  return async (url, audience, site) => {
    const lookup = readLookupUrl(url)
    if (lookup === null) return null
    const call = new Call(toSettings(), site.env, site, null)
    call.caller = audience.caller ?? null
    call.method = lookup.method
    const work = toWork(call, lookup, audience)
    const keeping = work?.toWanted()?.keeping
    if (work === null || keeping === undefined) return null
    return { outcome: await runPipeline(work), keeping }
  }
}

function toWork(call: Call, lookup: Lookup, audience: Audience): Work | null {
  switch (lookup.method) {
    case 'resources/list':
      return toCachedRowsWork(call, lookup.cursor, audience)
    case 'resources/read':
      return toCachedResourceWork(call, lookup.uri, audience)
    case 'tools/call':
      return toCachedToolWork(call, lookup, audience)
  }
}
