import {
  toExports,
  type Between,
  type Entrypoints,
  type Loopbacks,
} from './workers-cache-exports.ts'
import { WorkersCacheFlow, type Answer, type Call } from './workers-cache-flow.ts'
import { toKey, toText } from './workers-cache-key.ts'
import { toCacheContext } from './workers-cache-purge.ts'
import { toCallerResponse, type CacheStatus } from './workers-cache-reply.ts'
import { WorkersCacheStore } from './workers-cache-store.ts'

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
 * It honours https://developers.cloudflare.com/workers/cache/ in its keys, in what is stored and for
 * how long, in what is served stale, collapsed, purged and marked stale, and in every
 * `Cf-Cache-Status`. To use it elsewhere, copy test/support/workers-cache*.ts.
 *
 * What it has not got: tiers, ranges (a whole 200 is the answer to one), Cache Deception Armor, the
 * purge limits of a plan, `cache` as imported from cloudflare:workers, redirects that are followed,
 * arguments of RPC that are copied, bodies that others get while they are still being made. What is
 * being made during a purge is stored after it, with what the callee read before it: where the
 * platform says nothing, this is the worse case, and the one to be prepared for.
 */

export interface WorkersCacheOptions {
  /** The version of the Worker, which is in the key; `v1` by default. */
  readonly version?: string
  /** `cache.cross_version_cache`: leaves the version out of the key. */
  readonly crossVersion?: boolean
  /** The time in milliseconds. */
  readonly now?: () => number
  /** What is larger is served but not stored; 512 MB by default, as on the Free plan. */
  readonly maxBytes?: number
  /**
   * What a purge may reach: all of the calling entrypoint, as the page "Purging the cache" has it, or
   * only what has the props of the invocation that calls, as the page "Examples" has it.
   */
  readonly purgeScope?: 'entrypoint' | 'props'
}

/** What came of a `fetch`, in the order of their answers. */
export interface LogEntry {
  readonly entrypoint: string
  readonly url: string
  readonly props: unknown
  /** Its `Cf-Cache-Status`, or that the callee threw and nothing could be served instead. */
  readonly status: CacheStatus | 'THREW'
}

export interface WorkersCache {
  readonly log: readonly LogEntry[]
  /** `ctx.exports` with the cache in front of these entrypoints; `others` are in it as they are. */
  inFrontOf<Classes extends Entrypoints, Others extends object = object>(
    classes: Classes,
    env: unknown,
    others?: Others,
  ): Loopbacks<Classes> & Others
  /** Makes another version the one that is called. */
  deploy(version: string): void
  /** Has every purge fail with these errors, as one over the limit does; with none, no longer. */
  refusePurges(errors: readonly CachePurgeError[]): void
  /** Resolves when all that goes on in the background has ended, well or badly. */
  readonly settled: () => Promise<void>
  /** Forgets all that is stored, and the log. */
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

  const between: Between = {
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
    inFrontOf: (classes, env, others) => toExports(classes, env, others, between),
    deploy: (next) => void (version = next),
    refusePurges: (errors) => void (refusals = errors),
    settled,
    clear() {
      store.clear()
      log.length = 0
    },
  }
}

/** "What gets cached" on the page "Workers Cache": all the rest goes to the callee as it is. */
async function answer(call: Call, flow: WorkersCacheFlow): Promise<Answer> {
  const { method, headers } = call.request
  const isUpgrade = headers.get('upgrade')?.toLowerCase() === 'websocket'
  if ((method === 'GET' || method === 'HEAD') && !isUpgrade) return flow.answer(call)
  return { status: 'BYPASS', response: await call.run(call.request) }
}

/** What goes on when callers have been answered. That it fails is nobody's concern, as in production. */
function createBackground(): Pick<WorkersCache, 'settled'> & Pick<Between, 'waitUntil'> {
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
