import { WorkerEntrypoint } from 'cloudflare:workers'
import { readPartition } from './cache-key.ts'
import type { PurgeTimes } from './purge.ts'
import type { ComputeResult } from './read-through.ts'
import { toStoredResponse, toUnknownKeyResponse } from './stored-response.ts'
import type { PurgeResult } from './workers-store.ts'

export type ListingsClass = new (
  ctx: ExecutionContext,
  env: Cloudflare.Env,
) => WorkerEntrypoint & {
  fetch(request: Request): Promise<Response>
  purge(tags: readonly string[] | 'everything'): Promise<PurgeResult>
}

/**
 * Creates the entrypoint behind Workers Cache. The platform calls it only for what is not cached, with
 * a URL and `ctx.props`; it knows nothing else of the request.
 */
export function createListingsClass(compute: ComputeResult, purges: PurgeTimes): ListingsClass {
  return class Listings extends WorkerEntrypoint {
    override async fetch({ url }: Request): Promise<Response> {
      const partition = readPartition(this.ctx.props)
      if (partition === null) return toUnknownKeyResponse()
      const madeAt = Date.now()
      const computed = await compute(url, partition, {
        env: this.env,
        exports: this.ctx.exports,
        waitUntil: (work) => this.ctx.waitUntil(work),
      })
      if (computed === null) return toUnknownKeyResponse()
      // the platform would store a result that was begun before a purge and ends after it
      const isPurged = purges.last(computed.lifetime.tags) >= madeAt
      return toStoredResponse(computed, madeAt, !isPurged)
    }

    /** A method of the entrypoint, since `ctx.cache` purges only what the same entrypoint has stored. */
    async purge(tags: readonly string[] | 'everything'): Promise<PurgeResult> {
      const { cache } = this.ctx
      if (cache === undefined) return null
      return cache.purge(tags === 'everything' ? { purgeEverything: true } : { tags: [...tags] })
    }
  }
}
