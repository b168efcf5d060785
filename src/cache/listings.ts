import { WorkerEntrypoint } from 'cloudflare:workers'
import { readPartition } from './cache-key.ts'
import type { PurgeTimes } from './purge.ts'
import type { ComputeResult } from './read-through.ts'
import { toUnknownKeyResponse, toStoredResponse } from './stored-response.ts'

/** What became of a purge; `null` where nothing is kept that could be purged. */
export type PurgeResult = Pick<CachePurgeResult, 'success' | 'errors'> | null

/** The class that a Worker exports as `Listings`. */
export type ListingsClass = new (
  ctx: ExecutionContext,
  env: Cloudflare.Env,
) => WorkerEntrypoint & {
  fetch(request: Request): Promise<Response>
  purge(tags: readonly string[] | 'everything'): Promise<PurgeResult>
}

/**
 * Makes the entrypoint that the platform's cache stands in front of. It is asked only for what is not
 * there, by a URL and by `ctx.props`, and knows nothing else of who asked.
 */
export function createListingsClass(fill: ComputeResult, purges: PurgeTimes): ListingsClass {
  return class Listings extends WorkerEntrypoint {
    override async fetch({ url }: Request): Promise<Response> {
      const audience = readPartition(this.ctx.props)
      if (audience === null) return toUnknownKeyResponse()
      const madeAt = Date.now()
      const filled = await fill(url, audience, {
        env: this.env,
        exports: this.ctx.exports,
        waitUntil: (work) => this.ctx.waitUntil(work),
      })
      if (filled === null) return toUnknownKeyResponse()
      // the platform stores what was begun before a purge and ends after it
      const isPurged = purges.last(filled.lifetime.tags) >= madeAt
      return toStoredResponse(filled, madeAt, !isPurged)
    }

    /** A purge reaches what the entrypoint that asks for it has stored, so that it is asked for here. */
    async purge(tags: readonly string[] | 'everything'): Promise<PurgeResult> {
      const { cache } = this.ctx
      if (cache === undefined) return null
      return cache.purge(tags === 'everything' ? { purgeEverything: true } : { tags: [...tags] })
    }
  }
}
