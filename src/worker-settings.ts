import { toFirstScopes } from './auth/request/challenge.ts'
import { Guard } from './auth/request/guard.ts'
import { RequestLimit } from './auth/request/request-limit.ts'
import { PurgeTimes } from './cache/purge.ts'
import { createStore } from './cache/store.ts'
import { createComputeResult } from './mcp/compute-from-key.ts'
import { indexEntries, readSchemaTexts } from './mcp/entries.ts'
import { CancelledCalls } from './mcp/legacy/cancelled-calls.ts'
import { Sessions } from './mcp/legacy/session.ts'
import { createPurgeCheck, createPurgeFilter } from './mcp/resource-lookup.ts'
import type { Settings } from './mcp/settings.ts'
import { checkOptions, findUnreachableScopes, type WorkerOptions } from './options.ts'
import { WorkerLog, createWorkerLog } from './out/log.ts'
import { createSanitizer, createSanitizers } from './out/sanitizer.ts'
import { checkSecretNames } from './out/secrets.ts'
import { metaKey, supportedVersions } from './protocol/meta.ts'
import { legacyRevisions } from './protocol/revisions/revisions.ts'
import { type Origins, checkOrigins } from './serve/origin.ts'
import { Announcer } from './state/hub.ts'
import { createState } from './state/state.ts'
import { toMilliseconds } from './util/duration.ts'

/** What a Worker is made of: the settings of its calls, and when each of its results was purged. */
export interface WorkerParts {
  readonly settings: Settings
  readonly purges: PurgeTimes
}

const legacyVersions = legacyRevisions.map(({ version }) => version)

/**
 * Checks the options, and converts them to the settings of all calls.
 *
 * @throws {RangeError} when an option is invalid.
 */
export function createWorkerParts(options: WorkerOptions, env: object): WorkerParts {
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
    openLog: createWorkerLog,
  }
  const unreachable = findUnreachableScopes(options)
  if (unreachable !== null) new WorkerLog(openSanitizer(env)).warn('createWorker', unreachable)
  return { settings, purges }
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
          auth: registry.localIssuer?.extend(auth) ?? auth,
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

/** The parts of each Worker, by its `fetch`, and those of the last one. No request can reach them. */
const partsOfFetch = new WeakMap<object, WorkerParts>()
let lastParts: WorkerParts | null = null

/** Remembers the parts of a Worker for code in the same isolate, which is `helve/testing`. */
export function rememberWorkerParts(fetch: object, parts: WorkerParts): void {
  partsOfFetch.set(fetch, parts)
  lastParts = parts
}

/**
 * Finds the parts of a Worker by its `fetch`, or by a function around it: there is one Worker in an isolate.
 */
export function findWorkerParts(fetch: object): WorkerParts | null {
  return partsOfFetch.get(fetch) ?? lastParts
}
