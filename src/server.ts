import type { Authenticator } from './access/authenticator.ts'
import { createGuard } from './access/guard.ts'
import { createRequestLimit } from './access/limit.ts'
import { createAudit, type AuditSettings } from './calls/audit.ts'
import { createSanitizers } from './calls/sanitizer.ts'
import type { Notify } from './define/notify.ts'
import type { LimitName } from './define/tool.ts'
import { toMilliseconds, type Duration } from './kit/duration.ts'
import type { OpenMask } from './kit/incident.ts'
import { createMethods } from './protocol/methods.ts'
import { createProtocol } from './protocol/protocol.ts'
import { toFirstScopes } from './registry/first-scopes.ts'
import type { Registry } from './registry/registry.ts'
import { createHandlesClass, type HandlesClass } from './state/handles-object.ts'
import { Hub } from './state/hub-object.ts'
import { createState } from './state/state.ts'
import { createTransport, type Transport } from './transport/transport.ts'
import type { Implementation } from './wire/implementation.ts'

/** The whole configuration of a server; see the README's table for the defaults. */
export interface WorkerOptions extends Implementation {
  /** Generated from `tools/` by `helve build`. */
  readonly registry: Registry
  /** For the model: how to use this server well. */
  readonly instructions?: string
  /** The path that clients post to. */
  readonly endpoint?: `/${string}`
  /** The web pages that may call this server: one setting for `Origin` and for CORS. */
  readonly origins?: readonly string[] | '*'
  /** How long clients may keep what they were told before they ask again. */
  readonly fresh?: { readonly lists?: Duration; readonly discover?: Duration }
  /** Entries a page. Lists come whole unless this is set: many clients read only the first page. */
  readonly page?: number
  /** Bytes that one result may have. */
  readonly maxResultBytes?: number
  /** Who calls: `jwt(...)`, `apiKeys(...)` and others, each from a module of its own. */
  readonly auth?: Authenticator
  /** The URL of the endpoint as clients type it; what a request was sent to unless said. */
  readonly resource?: string
  /** The name of a `[[ratelimits]]` binding that counts the requests of each caller or address. */
  readonly limit?: LimitName
  /** What becomes of what cannot be counted: what reads is let through unless said. */
  readonly whenUnreachable?: 'allow' | 'refuse'
  /** One line about each request in the Worker's log; `false` for none. */
  readonly audit?: false | AuditSettings
  /** How many Hub objects share the listeners; docs/scale.md says how many it takes. */
  readonly hub?: { readonly shards: number }
}

/** A Worker: make it the default export, and export its two Durable Object classes beside it. */
export interface Worker {
  readonly fetch: Transport
  readonly Handles: HandlesClass
  readonly Hub: typeof Hub
  /** Tells listening clients of changes from a cron or queue handler: give it `ctx.exports`. */
  readonly notify: (exports: unknown) => Notify
}

/**
 * Makes the Worker, which is all there is to run.
 *
 * @throws {RangeError} when a duration or a number makes no sense, at start and not at a request.
 */
export function createWorker(options: WorkerOptions): Worker {
  const { registry, instructions, endpoint = '/mcp', origins = [], hub, ...others } = options
  const { fresh, page, maxResultBytes = 4 * 1024 * 1024, auth, resource, ...more } = others
  const { limit, whenUnreachable, audit = {}, ...serverInfo } = more
  if (page !== undefined) checkCount('page', page, 'entries a page')
  if (hub !== undefined) checkCount('hub.shards', hub.shards, 'Hub objects')
  const openState = createState({
    shards: hub?.shards ?? 1,
    creators: registry.tools.filter(({ conceal }) => !conceal).map(({ name }) => name),
  })
  const openSanitizer = createSanitizers(registry.bindings.vars)
  const openMask: OpenMask = (env) => openSanitizer(env).mask
  const windows = new Map(Object.entries(registry.bindings.limits))
  const methods = createMethods(registry, {
    ...(page !== undefined && { page }),
    maxResultBytes,
    openState,
    openSanitizer,
    limits: { windows, whenUnreachable },
    lists: { ttlMs: toMilliseconds(fresh?.lists ?? '5m'), cacheScope: 'public' },
    discover: {
      ...(instructions !== undefined && { instructions }),
      ttlMs: toMilliseconds(fresh?.discover ?? '1h'),
    },
  })
  const { name } = serverInfo
  checkScopes(registry, auth)
  const scopes = toFirstScopes(registry)
  const guard =
    auth &&
    createGuard({
      auth,
      endpoint,
      scopes,
      name,
      openMask,
      ...(resource !== undefined && { resource }),
    })
  const whenFull = { whenUnreachable: whenUnreachable ?? 'allow' }
  const requestLimit =
    limit === undefined
      ? null
      : createRequestLimit({ binding: limit, window: windows.get(limit), ...whenFull })
  const handle = createProtocol(methods, audit === false ? null : createAudit(audit, openSanitizer))
  return {
    fetch: createTransport({
      endpoint,
      origins,
      serverInfo,
      ...(guard && { guard }),
      ...(requestLimit !== null && { limit: requestLimit }),
      openMask,
      handle,
    }),
    Handles: createHandlesClass(registry.handles),
    Hub,
    notify: (exports) => openState({ env: {}, exports, callerDigest: null }).notify,
  }
}

/** Without `auth` nobody could ever use what needs a scope. */
function checkScopes({ tools, resources, prompts }: Registry, auth?: Authenticator): void {
  const first = [...tools, ...resources, ...prompts].find(({ scopes }) => scopes.length > 0)
  if (first === undefined || auth !== undefined) return
  throw new RangeError(
    `${first.name} needs the scope ${first.scopes.join(' and ')}, and nobody has it: ` +
      'this Worker has no `auth`. Give createWorker one, such as jwt({ issuer }).',
  )
}

function checkCount(name: string, value: number, what: string): void {
  if (Number.isSafeInteger(value) && value > 0) return
  throw new RangeError(`${name} is ${value}. Give the number of ${what}, 1 or more.`)
}
