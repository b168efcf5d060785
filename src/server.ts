import { env } from 'cloudflare:workers'
import { toFirstScopes } from './auth/request/challenge.ts'
import { Guard } from './auth/request/guard.ts'
import { RequestLimit } from './auth/request/request-limit.ts'
import { type ListingsClass, createListingsClass } from './cache/listings-entrypoint.ts'
import { PurgeTimes } from './cache/purge.ts'
import { createStore } from './cache/store.ts'
import type { Notify, Purge } from './define/contexts.ts'
import { indexEntries, readSchemaTexts } from './mcp/entries.ts'
import { CancelledCalls } from './mcp/legacy/cancelled-calls.ts'
import { Sessions } from './mcp/legacy/session.ts'
import { createComputeResult } from './mcp/compute-from-key.ts'
import { createPurgeCheck, createPurgeFilter } from './mcp/resource-lookup.ts'
import type { Settings } from './mcp/settings.ts'
import { Bridge } from './objects/bridge-object.ts'
import { createHandlesClass, type HandlesClass } from './objects/handles-object.ts'
import { Hub } from './objects/hub-object.ts'
import { checkOptions, findUnreachableScopes, type WorkerOptions } from './options.ts'
import { type OpenLog, WorkerLog } from './out/log.ts'
import { createSanitizer, createSanitizers } from './out/sanitizer.ts'
import { checkSecretNames } from './out/secrets.ts'
import { metaKey, supportedVersions } from './protocol/meta.ts'
import { legacyRevisions } from './protocol/revisions/revisions.ts'
import { serve } from './serve/fetch.ts'
import { type Origins, checkOrigins } from './serve/origin.ts'
import { createRoute } from './serve/routes.ts'
import { Announcer } from './state/hub.ts'
import { createState } from './state/state.ts'
import { toMilliseconds } from './util/duration.ts'
import { isRateLimiter } from './util/rate-limit.ts'

/** A Worker: make it the default export of the main module, and export its classes beside it. */
export interface Worker {
  readonly fetch: (
    request: Request,
    env: Cloudflare.Env,
    ctx: ExecutionContext,
  ) => Promise<Response>
  readonly Handles: HandlesClass
  readonly Hub: typeof Hub
  readonly Bridge: typeof Bridge
  readonly Listings: ListingsClass
  /** Notifies listening clients from a cron or queue handler: pass `ctx.exports`. */
  readonly notify: (exports: unknown) => Notify
  /** Purges the cache from a cron or queue handler: pass `ctx.exports`. */
  readonly purge: (exports: unknown) => Purge
}

const legacyVersions = legacyRevisions.map(({ version }) => version)

let isCreated = false

/**
 * Creates the Worker from its options and the registry.
 *
 * @throws {RangeError} when an option is invalid.
 * @throws {Error} when this Worker has called it before.
 */
export function createWorker(options: WorkerOptions): Worker {
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
export function createAnotherWorker(options: WorkerOptions): Worker {
  checkOptions(options)
  const { registry, hub = {}, cache = {}, legacy = true } = options
  // a function, because the settings contain the store, and the store needs `compute`
  const compute = createComputeResult(() => settings)
  const purges = new PurgeTimes()
  const listHints = {
    ttlMs: toMilliseconds(cache.lists ?? '5m'),
    cacheScope: 'public',
  } as const
  const entries = indexEntries(registry, options.page, listHints)
  const { findResource } = entries
  const narrow = createPurgeFilter(registry, findResource)
  const store = createStore(cache.store ?? 'workers', { registry, compute, narrow, purges })
  const openState = createState({
    shards: hub.shards ?? 1,
    creators: registry.tools.filter(({ conceal }) => !conceal).map(({ name }) => name),
    openPurge: (exports) => async (what) => store?.purge(what, exports),
    checkPurge: createPurgeCheck(registry, findResource),
    toResourceKey: (uri) => findResource(uri)?.key ?? uri,
  })
  const { vars } = registry.bindings
  const rules = { vars, secrets: options.secrets ?? [], public: options.public ?? [] }
  checkSecretNames(env, rules)
  const openSanitizer = createSanitizers(rules, {
    readKept: () => readSchemaTexts(registry),
    onMask: createMaskReport(),
  })
  const openLog: OpenLog = (env) => new WorkerLog(openSanitizer(env))
  const settings: Settings = {
    ...toIdentity(options),
    ...toAccess(options),
    registry,
    entries,
    versions: legacy ? [...supportedVersions, ...legacyVersions] : supportedVersions,
    legacy,
    sessions: new Sessions(options.name),
    cancelledCalls: new CancelledCalls(),
    documents: options.documents ?? true,
    audit: options.audit === false ? null : (options.audit ?? {}),
    maxResultBytes: options.maxResultBytes ?? 4 * 1024 * 1024,
    page: options.page,
    listHints,
    staleListsMs: cache.stale === undefined ? 0 : toMilliseconds(cache.stale),
    discoverHints: {
      ttlMs: toMilliseconds(cache.discover ?? '1h'),
      cacheScope: 'public',
    },
    store,
    compute,
    listenersPerCaller: hub.perCaller ?? 64,
    announcer: new Announcer(registry.digest),
    openState,
    openSanitizer,
  }
  const unreachable = findUnreachableScopes(options)
  if (unreachable !== null) openLog(env).warn('createWorker', unreachable)
  const route = createRoute(settings)
  // outside a request, as in a cron handler, the log reads its secrets from the module's `env`
  const openForHandler = (exports: unknown) =>
    openState({ env, exports, callerDigest: null, log: openLog(env) })
  return {
    fetch: (request, ...[bindings, ctx]) => serve(settings, route, request, bindings, ctx),
    Handles: createHandlesClass(registry.handles, openLog),
    Hub,
    Bridge,
    Listings: createListingsClass(compute, purges),
    notify: (exports) => openForHandler(exports).notify,
    purge: (exports) => openForHandler(exports).purge,
  }
}

/** Logs each name once in an isolate, so that an author sees why a text became `[secret]`. */
function createMaskReport(): (name: string) => void {
  const reported = new Set<string>()
  return (name) => {
    if (reported.has(name)) return
    reported.add(name)
    new WorkerLog(createSanitizer([])).warn(
      'mask',
      `The value of ${JSON.stringify(name)} in \`env\` was masked in what is sent or logged. If it is not a ` +
        `secret, add the name to createWorker({ public: [...] }). Later cases are not logged.`,
    )
  }
}

function toIdentity({
  name,
  version,
  title,
  description,
  websiteUrl,
  icons,
  instructions,
}: WorkerOptions): Pick<Settings, 'serverInfo' | 'serverMeta' | 'instructions'> {
  const serverInfo = {
    name,
    version,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(websiteUrl !== undefined && { websiteUrl }),
    ...(icons !== undefined && { icons }),
  }
  const serverMeta = `"${metaKey.serverInfo}":${JSON.stringify(serverInfo)}`
  return { serverInfo, serverMeta, instructions: instructions ?? null }
}

function toAccess(
  options: WorkerOptions,
): Pick<Settings, 'endpoint' | 'origins' | 'guard' | 'requestLimit' | 'limits'> {
  const { registry, auth, resource, endpoint = '/mcp', origins = [], limit } = options
  const { whenUnreachable } = options
  checkOrigins(origins)
  const windows = new Map(Object.entries(registry.bindings.limits))
  const window = limit === undefined ? undefined : windows.get(limit)
  const guard =
    auth === undefined
      ? null
      : new Guard({
          auth,
          endpoint,
          scopes: toFirstScopes(registry),
          name: options.name,
          ...(resource !== undefined && { resource }),
          ...(window && { window }),
        })
  const requestLimit =
    limit === undefined
      ? null
      : new RequestLimit({
          binding: limit,
          window,
          whenUnreachable: whenUnreachable ?? 'allow',
        })
  return {
    endpoint,
    origins: withOwn(origins, resource),
    guard,
    requestLimit,
    limits: { windows, whenUnreachable },
  }
}

/** Adds the server's own origin, by which a proxy in front of it is called. */
function withOwn(origins: Origins, resource: string | undefined): Origins {
  if (origins === '*' || resource === undefined || !URL.canParse(resource)) return origins
  return [...origins, new URL(resource).origin]
}
