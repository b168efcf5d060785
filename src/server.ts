import { createGuard, toFirstScopes } from './auth/request/guard.ts'
import { createRequestLimit } from './auth/request/request-limit.ts'
import { createCaches } from './cache/caches.ts'
import { type ListingsClass, createListingsClass } from './cache/listings.ts'
import type { Notify, Purge } from './define/contexts.ts'
import { createDocuments } from './mcp/documents.ts'
import { createFill } from './mcp/fills.ts'
import { createMethods, createProtocol } from './mcp/methods.ts'
import { createPurgeCheck, createResourceLookup } from './mcp/resource-lookup.ts'
import { type HandlesClass, createHandlesClass } from './objects/handles-object.ts'
import { Hub } from './objects/hub-object.ts'
import { type WorkerOptions, checkOptions } from './options.ts'
import { createAudit } from './out/audit.ts'
import { createSanitizers } from './out/sanitizer.ts'
import { type Transport, createTransport } from './serve/transport.ts'
import { createState } from './state/state.ts'
import { toMilliseconds } from './util/duration.ts'
import type { OpenMask } from './util/log.ts'

/** Make it the default export of the Worker, and export its three classes too. */
export interface Worker {
  readonly fetch: Transport
  readonly Handles: HandlesClass
  readonly Hub: typeof Hub
  readonly Listings: ListingsClass
  /** Notifies listening clients from a cron or queue handler: pass `ctx.exports`. */
  readonly notify: (exports: unknown) => Notify
  /** Removes cached results from a cron or queue handler: pass `ctx.exports`. */
  readonly purge: (exports: unknown) => Purge
}

/**
 * Creates the Worker.
 *
 * @throws {RangeError} for an invalid option, at start and not at the first request.
 */
export function createWorker(options: WorkerOptions): Worker {
  checkOptions(options)
  const { registry, instructions, endpoint = '/mcp', origins = [], hub, ...others } = options
  const { fresh, page, maxResultBytes = 4 * 1024 * 1024, auth, resource, ...more } = others
  const { limit, whenUnreachable, audit = {}, cache = 'workers', ...most } = more
  const { documents = true, ...serverInfo } = most

  const openSanitizer = createSanitizers(registry.bindings.vars)
  const openMask: OpenMask = (env) => openSanitizer(env).mask
  const lookup = createResourceLookup(registry.resources)
  const caches = createCaches(cache, registry)
  const openState = createState({
    shards: hub?.shards ?? 1,
    creators: registry.tools.filter(({ conceal }) => !conceal).map(({ name }) => name),
    openPurge: caches.openPurge,
    checkPurge: createPurgeCheck(registry, lookup),
  })
  const windows = new Map(Object.entries(registry.bindings.limits))
  const settings = {
    lookup,
    ...(page !== undefined && { page }),
    maxResultBytes,
    openState,
    openSanitizer,
    limits: { windows, whenUnreachable },
    lists: { ttlMs: toMilliseconds(fresh?.lists ?? '5m'), cacheScope: 'public' },
    staleListsMs: fresh?.stale === undefined ? 0 : toMilliseconds(fresh.stale),
  } as const
  const fill = createFill(registry, settings)
  const methods = createMethods(registry, {
    ...settings,
    keep: caches.createKeep(fill),
    discover: {
      ...(instructions !== undefined && { instructions }),
      ttlMs: toMilliseconds(fresh?.discover ?? '1h'),
    },
  })
  const guard =
    auth &&
    createGuard({
      auth,
      endpoint,
      scopes: toFirstScopes(registry),
      name: serverInfo.name,
      openMask,
      ...(resource !== undefined && { resource }),
    })
  const requestLimit =
    limit === undefined
      ? null
      : createRequestLimit({
          binding: limit,
          window: windows.get(limit),
          whenUnreachable: whenUnreachable ?? 'allow',
        })
  const auditor = audit === false ? null : createAudit(audit, openSanitizer)
  const isPublic = auth === undefined || auth.allowsAnonymous
  return {
    fetch: createTransport({
      endpoint,
      origins,
      serverInfo,
      ...(guard && { guard }),
      ...(requestLimit !== null && { limit: requestLimit }),
      openMask,
      handle: createProtocol(methods, auditor),
      ...(documents && {
        documents: createDocuments(methods, { serverInfo, isPublic, audit: auditor }),
      }),
    }),
    Handles: createHandlesClass(registry.handles),
    Hub,
    Listings: createListingsClass(fill, caches.purges),
    notify: (exports) => openState({ env: {}, exports, callerDigest: null }).notify,
    purge: (exports) => openState({ env: {}, exports, callerDigest: null }).purge,
  }
}
