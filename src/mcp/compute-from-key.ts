import { type CachePartition, type CacheableRequest, readCacheUrl } from '../cache/cache-key.ts'
import type { ComputeResult } from '../cache/read-through.ts'
import { Call } from './call.ts'
import { runPipeline } from './pipeline.ts'
import { toCachedRowsWork } from './resources-list.ts'
import { toCachedResourceWork } from './resources.ts'
import type { Settings } from './settings.ts'
import { toCachedToolWork } from './tools.ts'
import type { Work } from './work.ts'

/**
 * Creates the function that computes a result from its cache key, for the cached entrypoint and for
 * servers without a cache. The call has no client: there is none to stream to, and none whose
 * disconnect ends the work. The function returns `null` for a key under which nothing is cached,
 * since keys may come from outside the isolate.
 */
export function createComputeResult(toSettings: () => Settings): ComputeResult {
  return async (url, partition, context) => {
    const request = readCacheUrl(url)
    if (request === null) return null
    const call = new Call(toSettings(), context.env, context, null)
    call.caller = partition.caller ?? null
    call.method = request.method
    const work = toWork(call, request, partition)
    const lifetime = work?.toCacheLookup()?.lifetime
    if (work === null || lifetime === undefined) return null
    return { outcome: await runPipeline(work), lifetime }
  }
}

function toWork(call: Call, request: CacheableRequest, partition: CachePartition): Work | null {
  switch (request.method) {
    case 'resources/list':
      return toCachedRowsWork(call, request.cursor, partition)
    case 'resources/read':
      return toCachedResourceWork(call, request.uri, partition)
    case 'tools/call':
      return toCachedToolWork(call, request, partition)
  }
}
