import { env } from 'cloudflare:workers'
import { type ListingsClass, createListingsClass } from './cache/listings-entrypoint.ts'
import type { RequestContext } from './define/authenticator.ts'
import type { Notify, Purge } from './define/contexts.ts'
import { Bridge } from './objects/bridge-object.ts'
import { createHandlesClass, type HandlesClass } from './objects/handles-object.ts'
import { Hub } from './objects/hub-object.ts'
import type { WorkerOptions } from './options.ts'
import { type OpenLog, WorkerLog } from './out/log.ts'
import { type Served, findSubstitute, serve } from './serve/fetch.ts'
import { createRoute } from './serve/routes.ts'
import { isRateLimiter } from './util/rate-limit.ts'
import { createWorkerParts, rememberWorkerParts } from './worker-settings.ts'

/** A Worker: make it the default export of the main module, and export its classes beside it. */
export interface Worker<Definitions = unknown> {
  readonly fetch: WorkerFetch<Definitions>
  readonly Handles: HandlesClass
  readonly Hub: typeof Hub
  readonly Bridge: typeof Bridge
  readonly Listings: ListingsClass
  /** Notifies listening clients from a cron or queue handler: pass `ctx.exports`. */
  readonly notify: (exports: unknown) => Notify
  /** Purges the cache from a cron or queue handler: pass `ctx.exports`. */
  readonly purge: (exports: unknown) => Purge
}

/** The `fetch` of a Worker, which carries the types of its definitions to `connect` of `helve/testing`. */
export interface WorkerFetch<Definitions = unknown> {
  /**
   * Pass on what the platform passed to the Worker. The type of `env` is open because routers have types of
   * their own for it: Hono's is `unknown` unless it is declared.
   */
  (request: Request, env: unknown, ctx: RequestContext): Promise<Response>
  /** Only for the compiler. */
  readonly '~types'?: Definitions
}

let isCreated = false

/**
 * Creates the Worker from its options and the registry.
 *
 * @throws {RangeError} when an option is invalid.
 * @throws {Error} when this Worker has called it before.
 */
export function createWorker<Definitions>(
  options: WorkerOptions<Definitions>,
): Worker<Definitions> {
  if (isCreated) {
    throw new Error(
      'createWorker was called a second time. A Worker has its classes, such as Handles and Hub, once, so ' +
        "two servers in it would answer each other's cached calls and lose each other's handles. Put all " +
        'tools under one tools/ folder, or deploy the second server as a Worker of its own.',
    )
  }
  const worker = createAnotherWorker(options)
  checkBinding(options.limit)
  isCreated = true
  return worker
}

/** A missing binding fails each request: whether all bindings are here when the Worker starts is not certain. */
function checkBinding(limit: string | undefined): void {
  const binding: unknown = limit === undefined ? undefined : Reflect.get(env, limit)
  if (binding === undefined || isRateLimiter(binding)) return
  throw new RangeError(
    `\`limit\` is "${limit}", but \`env.${limit}\` is a binding of another kind. Give the [[ratelimits]] ` +
      'binding a name of its own.',
  )
}

/** Creates one of several Workers in one isolate, for tests, which keep their classes apart. */
export function createAnotherWorker<Definitions>(
  options: WorkerOptions<Definitions>,
): Worker<Definitions> {
  const parts = createWorkerParts(options, env)
  const { settings, purges } = parts
  const { compute, openSanitizer, openState, registry } = settings
  const own: Served = { settings, route: createRoute(settings) }
  const openLog: OpenLog = (bindings) => new WorkerLog(openSanitizer(bindings))
  // outside a request, as in a cron handler, the log reads its secrets from the module's `env`
  const openForHandler = (exports: unknown) =>
    openState({ env, exports, callerDigest: null, log: openLog(env) })
  const fetch: WorkerFetch<Definitions> = (request, bindings, ctx) => {
    if (!isEnv(bindings)) throw new TypeError(noEnv)
    return serve(findSubstitute(ctx) ?? own, request, bindings, ctx)
  }
  rememberWorkerParts(fetch, parts)
  return {
    fetch,
    Handles: createHandlesClass(registry.handles, openLog),
    Hub,
    Bridge,
    Listings: createListingsClass(compute, purges),
    notify: (exports) => openForHandler(exports).notify,
    purge: (exports) => openForHandler(exports).purge,
  }
}

/** Its members are checked where they are used: `Cloudflare.Env` is what the author's configuration says. */
function isEnv(value: unknown): value is Cloudflare.Env {
  return typeof value === 'object' && value !== null
}

const noEnv =
  '`fetch` of the Worker was called without `env`. Pass on all three parameters: ' +
  'worker.fetch(request, env, ctx).'
