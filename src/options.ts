import type { Authenticator } from './define/authenticator.ts'
import type { Registry } from './define/registry.ts'
import type { LimitName } from './define/tool.ts'
import type { AuditSettings } from './out/audit.ts'
import type { Implementation } from './protocol/content.ts'
import { type Duration, isDuration } from './util/duration.ts'

/** The options of {@link createWorker}; the README has a table of them. */
export interface WorkerOptions extends Implementation {
  /** Generated from `tools/` by `helve build`. */
  readonly registry: Registry
  /** Tells the model how to use this server. */
  readonly instructions?: string
  /** The path that clients post to. */
  readonly endpoint?: `/${string}`
  /** The web origins that may call this server, for the `Origin` check and for CORS. */
  readonly origins?: readonly string[] | '*'
  /**
   * How long clients may cache lists and `server/discover`. `stale` is how much longer the edge may
   * send an old list of resources while it computes a new one.
   */
  readonly fresh?: {
    readonly lists?: Duration
    readonly discover?: Duration
    readonly stale?: Duration
  }
  /**
   * Where results are cached: in Workers Cache, behind the entrypoint `Listings`; in the Cache API of
   * each data centre separately; or nowhere.
   */
  readonly cache?: 'workers' | 'colo' | false
  /** Whether lists are also served as plain documents, at `GET /mcp/tools` and similar paths. */
  readonly documents?: boolean
  /** Entries in a page. By default a list is one page: many clients read only the first. */
  readonly page?: number
  /** The maximum size of a result in bytes: 4 MiB by default. */
  readonly maxResultBytes?: number
  /** How callers are authenticated: `jwt(...)`, `apiKeys(...)` and others, each in its own module. */
  readonly auth?: Authenticator
  /** The URL of the endpoint for clients. By default the URL of the request. */
  readonly resource?: string
  /** The name of a `[[ratelimits]]` binding that counts the requests of each caller or address. */
  readonly limit?: LimitName
  /** What happens when a limit cannot be reached. By default only calls of `destructive` tools fail. */
  readonly whenUnreachable?: 'allow' | 'refuse'
  /** One line for each request in the Worker's log; `false` for none. */
  readonly audit?: false | AuditSettings
  /** How many Hub objects share the listeners; see docs/scale.md. */
  readonly hub?: { readonly shards: number }
}

/**
 * Refuses options that make no sense, at start and not at a request.
 *
 * @throws {RangeError} with what to do instead.
 */
export function checkOptions({ registry, auth, page, hub, cache, fresh }: WorkerOptions): void {
  if (![undefined, 'workers', 'colo', false].includes(cache)) {
    throw new RangeError(`cache is ${JSON.stringify(cache)}. Say 'workers', 'colo' or false.`)
  }
  for (const [name, duration] of Object.entries(fresh ?? {})) checkFresh(name, duration)
  if (page !== undefined) checkCount('page', page, 'entries a page')
  if (hub !== undefined) checkCount('hub.shards', hub.shards, 'Hub objects')
  checkScopes(registry, auth)
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

const freshNames = ['lists', 'discover', 'stale']

function checkFresh(name: string, duration: unknown): void {
  if (freshNames.includes(name) && (duration === undefined || isDuration(duration))) return
  throw new RangeError(
    `fresh has ${name}: ${JSON.stringify(duration)}. It takes ${freshNames.join(', ')}, each a time such as "5m".`,
  )
}

function checkCount(name: string, value: number, what: string): void {
  if (Number.isSafeInteger(value) && value > 0) return
  throw new RangeError(`${name} is ${value}. Give the number of ${what}, 1 or more.`)
}
