import { toExports, type Interceptor, type Entrypoints, type Loopbacks } from './exports.ts'
import { WorkersCacheFlow, type CachedAnswer, type CachedFetch } from './flow.ts'
import { toKey, toText } from './key.ts'
import { toCacheContext } from './purge.ts'
import { toCallerResponse, type CacheStatus } from './reply.ts'
import { WorkersCacheStore } from './store.ts'

/*
 * A stand-in for Workers Cache, which neither workerd nor Miniflare simulates: the cache in front of
 * the named entrypoints of a Worker. It runs where the tests run, and needs no configuration.
 *
 *   let clock = 0
 *   const cache = createWorkersCache({ now: () => clock })
 *   const exports = cache.inFrontOf({ Listings }, env, { Hub: env.HUB })
 *   await exports.Listings({ props: { user: 'ada' } }).fetch('https://any.host/list')
 *   expect(cache.log.at(-1)?.status).toBe('MISS')
 *
 * It follows https://developers.cloudflare.com/workers/cache/ in its keys, in what is stored and how
 * long, in stale responses, request collapsing, purges and invalidations, and in every
 * `Cf-Cache-Status`.
 *
 * What it does not have: tiers, ranges (the response is a whole 200), Cache Deception Armor, the purge
 * limits of a plan, `cache` imported from cloudflare:workers, following redirects, copying arguments of
 * RPC, sending a body to others before it is complete. A response that is made during a purge is stored
 * after it, with what the callee read before it: the documentation does not cover this, and it is the
 * worse case.
 */

export interface WorkersCacheOptions {
  /** The version of the Worker, which is in the key; `v1` by default. */
  readonly version?: string
  /** `cache.cross_version_cache`: leaves the version out of the key. */
  readonly crossVersion?: boolean
  /** The time in milliseconds. */
  readonly now?: () => number
  /** Larger responses are not stored; 512 MB by default, as on the Free plan. */
  readonly maxBytes?: number
  /**
   * What a purge reaches: everything of the calling entrypoint, as on the page "Purging the cache", or
   * only what has the same props as the calling invocation, as on the page "Examples".
   */
  readonly purgeScope?: 'entrypoint' | 'props'
}

/** The result of a `fetch`; the log has them in the order of the responses. */
export interface LogEntry {
  readonly entrypoint: string
  readonly url: string
  readonly props: unknown
  /** Its `Cf-Cache-Status`; `THREW` if the callee threw and nothing could be served instead. */
  readonly status: CacheStatus | 'THREW'
}

export interface WorkersCache {
  readonly log: readonly LogEntry[]
  /** Creates a `ctx.exports` with the cache in front of these entrypoints, and `others` unchanged. */
  inFrontOf<Classes extends Entrypoints, Others extends object = object>(
    classes: Classes,
    env: unknown,
    others?: Others,
  ): Loopbacks<Classes> & Others
  /** Deploys another version. */
  deploy(version: string): void
  /** Makes every purge fail with these errors, as over the limit; an empty list ends that. */
  refusePurges(errors: readonly CachePurgeError[]): void
  /** Resolves when all background work has ended, even if it failed. */
  readonly settled: () => Promise<void>
  /** Removes all entries, and empties the log. */
  clear(): void
}

export function createWorkersCache(options: WorkersCacheOptions = {}): WorkersCache {
  const { crossVersion = false, now = Date.now, maxBytes = 512_000_000, purgeScope } = options
  const store = new WorkersCacheStore()
  const { waitUntil, settled } = createBackground()
  const flow = new WorkersCacheFlow({ store, now, maxBytes, waitUntil })
  const log: LogEntry[] = []
  let version = options.version ?? 'v1'
  let refusals: readonly CachePurgeError[] = []

  const interceptor: Interceptor = {
    async fetch(callee, request, run) {
      const record = (status: LogEntry['status']): void => {
        log.push({ ...callee, url: request.url, status })
      }
      try {
        const key = toKey(callee, request, crossVersion ? '' : version)
        const { status, response } = await answer({ callee, key, request, run }, flow)
        record(status)
        return toCallerResponse(response, request, status)
      } catch (error) {
        record('THREW')
        throw error
      }
    },
    cacheOf({ entrypoint, props }) {
      const scope = purgeScope === 'props' ? { entrypoint, props: toText(props) } : { entrypoint }
      return toCacheContext(store, scope, now, () => refusals)
    },
    waitUntil,
  }

  return {
    log,
    inFrontOf: (classes, env, others) => toExports(classes, env, others, interceptor),
    deploy: (next) => void (version = next),
    refusePurges: (errors) => void (refusals = errors),
    settled,
    clear() {
      store.clear()
      log.length = 0
    },
  }
}

/** "What gets cached" on the page "Workers Cache": everything else goes to the callee. */
async function answer(call: CachedFetch, flow: WorkersCacheFlow): Promise<CachedAnswer> {
  const { method, headers } = call.request
  const isUpgrade = headers.get('upgrade')?.toLowerCase() === 'websocket'
  if ((method === 'GET' || method === 'HEAD') && !isUpgrade) return flow.answer(call)
  return { status: 'BYPASS', response: await call.run(call.request) }
}

/** Collects work that continues after a response. As in production, its failure has no effect. */
function createBackground(): Pick<WorkersCache, 'settled'> & Pick<Interceptor, 'waitUntil'> {
  const background = new Set<Promise<unknown>>()
  const settled = async (): Promise<void> => {
    if (background.size === 0) return
    await Promise.all(background)
    return settled()
  }
  return {
    waitUntil(promise) {
      const ended = promise.catch(() => {}).finally(() => background.delete(ended))
      background.add(ended)
    },
    settled,
  }
}
