import type { Authenticator } from './define/authenticator.ts'
import type { Bindings, Registry } from './define/registry.ts'
import type { LimitName } from './define/tool.ts'
import type { AuditSettings } from './out/audit.ts'
import type { Implementation } from './protocol/content.ts'
import { isJsonObject } from './protocol/json.ts'
import { readMembers, serverShape } from './protocol/read-members.ts'
import { type Duration, isDuration } from './util/duration.ts'

export interface WorkerOptions<Definitions = unknown> extends Implementation {
  /** Generated from `tools/` by `helve build`. */
  readonly registry: Registry<Definitions>
  /** Tells the model how to use this server. */
  readonly instructions?: string
  /** The path of the MCP endpoint; `'/mcp'` by default. */
  readonly endpoint?: `/${string}`
  /** The web origins that may call this server, for the `Origin` check and for CORS. */
  readonly origins?: readonly string[] | '*'
  readonly cache?: CacheSettings
  /** Whether lists are also served by `GET /mcp/tools` and others; true by default. */
  readonly documents?: boolean
  /** Entries in a page of a list. By default a list is one page: many clients read only the first. */
  readonly page?: number
  /** The maximum size of a result in bytes: 4 MiB by default. */
  readonly maxResultBytes?: number
  /** How callers are authenticated: `jwt(...)`, `apiKeys(...)` and others, each in its own module. */
  readonly auth?: Authenticator
  /**
   * The public URL of the endpoint. Defaults to the request's own URL, which is safe on Cloudflare only:
   * anywhere else the `Host` header, which a client chooses, would decide for which audience tokens must
   * be. Nor can `CF-Connecting-IP` be trusted there unless a proxy overwrites it.
   */
  readonly resource?: string
  /** The name of a `[[ratelimits]]` binding that counts the requests of each caller or address. */
  readonly limit?: LimitName
  /** What happens if a limit cannot be reached. By default only calls of `destructive` tools fail. */
  readonly whenUnreachable?: 'allow' | 'refuse'
  /** Settings of the log line that each request writes; `false` for no line. */
  readonly audit?: false | AuditSettings
  /**
   * Names in `env` whose values are masked in everything that is sent, besides the values that look
   * like a credential. A value must be long enough that guessing it is hopeless.
   */
  readonly secrets?: readonly string[]
  /** Names in `env` whose values are never masked, although they look like a credential. */
  readonly public?: readonly string[]
  readonly hub?: HubSettings
  /**
   * Whether clients of revisions that begin with `initialize` are served, 2024-11-05 to 2025-11-25;
   * true by default. Otherwise they are refused with a sentence.
   */
  readonly legacy?: boolean
}

interface HubSettings {
  /** How many Hub objects share the listeners; 1 by default, see docs/scale.md. */
  readonly shards?: number
  /** Listen streams that one caller, or one address of anonymous callers, may have open; 64 by default. */
  readonly perCaller?: number
}

/** How long lists and the server's description are cached, and where the edge caches results. */
interface CacheSettings {
  /** How long clients, and the edge, may cache lists; `'5m'` by default. */
  readonly lists?: Duration
  /** How long clients may cache `server/discover`; `'1h'` by default. */
  readonly discover?: Duration
  /** How long after `lists` the edge may serve a stale list of resources while it makes a new one. */
  readonly stale?: Duration
  /**
   * Where the edge caches results: in Workers Cache, in front of the entrypoint `Listings` (the
   * default); in the Cache API of each data centre; or nowhere.
   */
  readonly store?: 'workers' | 'colo' | false
}

/**
 * Checks the options when the Worker starts, so that a mistake does not wait for a request.
 *
 * @throws {RangeError} that says what to change.
 */
export function checkOptions(options: WorkerOptions): void {
  const { registry, limit, page, maxResultBytes, hub = {}, cache = {} } = options
  if ('fresh' in options) {
    throw new RangeError(
      `\`fresh\` is now \`cache\`. Write cache: ${JSON.stringify(options.fresh)}.`,
    )
  }
  checkIdentity(options)
  checkCache(cache)
  checkLegacy(options.legacy)
  if (page !== undefined) checkCount('page', page, 'entries')
  // compared with NaN, every result would be small enough
  if (maxResultBytes !== undefined) checkCount('maxResultBytes', maxResultBytes, 'bytes')
  if (hub.shards !== undefined) checkCount('hub.shards', hub.shards, 'Hub objects', maxShards)
  if (hub.perCaller !== undefined) checkCount('hub.perCaller', hub.perCaller, 'listen streams')
  const unlimited = limit === undefined ? null : findRequestLimitProblem(limit, registry.bindings)
  if (unlimited !== null) throw new RangeError(unlimited)
}

/** Clients read the identity with every result, and refuse the result if they cannot. */
function checkIdentity(options: WorkerOptions): void {
  try {
    readMembers(serverShape, { ...options }, '', 'strict')
  } catch (error) {
    throw error instanceof TypeError ? new RangeError(error.message) : error
  }
}

/**
 * Returns why `limit` cannot count requests, as a sentence; `null` if it names a binding of
 * wrangler.toml. Without the binding every request would fail.
 */
export function findRequestLimitProblem(
  limit: unknown,
  { limits }: Pick<Bindings, 'limits'>,
): string | null {
  if (typeof limit !== 'string' || limit === '') {
    const shown = typeof limit === 'string' || isJsonObject(limit) ? JSON.stringify(limit) : limit
    return (
      `\`limit\` of createWorker is ${String(shown)}. It must be the name of a [[ratelimits]] binding, such ` +
      'as "CALLS". An exact limit, such as { tokens: 100, per: "1h" }, is an option of a tool.'
    )
  }
  if (Object.hasOwn(limits, limit)) return null
  return (
    `\`limit\` is ${JSON.stringify(limit)}, but wrangler.toml has no [[ratelimits]] binding with that ` +
    `name. Add [[ratelimits]] with name = "${limit}", namespace_id = "1001" and ` +
    'simple = { limit = 100, period = 60 } to wrangler.toml, and run `helve build`.'
  )
}

/**
 * Returns what the log says if entries have scopes, and no caller can have them. These are hidden and
 * refused, which must not end `wrangler dev`; `null` if there is nothing to say.
 */
export function findUnreachableScopes({ registry, auth }: WorkerOptions): string | null {
  if (auth !== undefined) return null
  const { tools, resources, prompts } = registry
  const closed = [...tools, ...resources, ...prompts].filter(({ scopes }) => scopes.length > 0)
  if (closed.length === 0) return null
  return (
    `No caller can have the scopes that ${closed.map(({ name }) => name).join(', ')} need, because this ` +
    'Worker has no `auth`: they are left out of lists, and refused. Add `auth` to createWorker, such as ' +
    'jwt({ issuer }), or remove `scopes`.'
  )
}

/** A notification is a subrequest to each shard, and the platform allows 10,000 (docs/scale.md). */
const maxShards = 10_000

/** Accepts `unknown`, because any other value would be true or false by chance, such as `'false'`. */
function checkLegacy(legacy: unknown): void {
  if (legacy === undefined || typeof legacy === 'boolean') return
  throw new RangeError(
    `\`legacy\` is ${JSON.stringify(legacy)}. It must be true, the default, or false, which refuses ` +
      'clients of the revisions before 2026-07-28.',
  )
}

const stores: ReadonlySet<unknown> = new Set(['workers', 'colo', false])
const lifetimes: readonly string[] = ['lists', 'discover', 'stale']

/** Accepts `unknown`, because in earlier versions `cache` was the store itself: `cache: 'colo'`. */
function checkCache(cache: unknown): void {
  if (!isJsonObject(cache)) {
    const advice = stores.has(cache)
      ? `\`cache\` is now an object. Write cache: { store: ${JSON.stringify(cache)} }.`
      : `\`cache\` is ${JSON.stringify(cache)}. It must be an object such as { lists: '5m' }.`
    throw new RangeError(advice)
  }
  for (const [name, value] of Object.entries(cache)) {
    if (value === undefined) continue
    if (name === 'store') checkStore(value)
    else checkLifetime(name, value)
  }
}

function checkStore(store: unknown): void {
  if (stores.has(store)) return
  throw new RangeError(
    `\`cache.store\` is ${JSON.stringify(store)}. It must be 'workers', 'colo' or false.`,
  )
}

function checkLifetime(name: string, value: unknown): void {
  if (!lifetimes.includes(name)) {
    const known = [...lifetimes, 'store'].map((each) => `\`${each}\``).join(', ')
    throw new RangeError(`\`cache.${name}\` is not an option. Options of \`cache\`: ${known}.`)
  }
  if (isDuration(value)) return
  throw new RangeError(
    `\`cache.${name}\` is ${JSON.stringify(value)}. It must be a duration such as '5m'.`,
  )
}

function checkCount(name: string, value: number, what: string, most = Infinity): void {
  if (Number.isSafeInteger(value) && value > 0 && value <= most) return
  const range = most === Infinity ? '1 or more' : `1 to ${most}`
  throw new RangeError(
    `\`${name}\` is ${String(value)}. It must be a whole number of ${what}, ${range}.`,
  )
}
