import type { Authenticator } from './define/authenticator.ts'
import type { Registry } from './define/registry.ts'
import type { LimitName } from './define/tool.ts'
import type { AuditSettings } from './out/audit.ts'
import type { Implementation } from './protocol/content.ts'
import { isJsonObject } from './protocol/json.ts'
import { type Duration, isDuration } from './util/duration.ts'

export interface WorkerOptions extends Implementation {
  /** Generated from `tools/` by `helve build`. */
  readonly registry: Registry
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
  /** The public URL of the endpoint. Defaults to the request's own URL. */
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
  /** How many Hub objects share the listeners; see docs/scale.md. */
  readonly hub?: { readonly shards: number }
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
  const { registry, auth, limit, page, hub, cache = {} } = options
  if ('fresh' in options) {
    throw new RangeError(
      `\`fresh\` is now \`cache\`. Write cache: ${JSON.stringify(options.fresh)}.`,
    )
  }
  checkCache(cache)
  if (page !== undefined) checkCount('page', page, 'entries')
  if (hub !== undefined) checkCount('hub.shards', hub.shards, 'Hub objects')
  if (limit !== undefined) checkLimit(limit, registry)
  checkScopes(registry, auth)
}

/** Without the binding every request would fail. */
function checkLimit(name: string, { bindings }: Registry): void {
  if (Object.hasOwn(bindings.limits, name)) return
  throw new RangeError(
    `\`limit\` is ${JSON.stringify(name)}, but wrangler.toml has no [[ratelimits]] binding with that ` +
      `name. Add [[ratelimits]] with name = "${name}", namespace_id = "1001" and ` +
      'simple = { limit = 100, period = 60 } to wrangler.toml, and run `helve build`.',
  )
}

/** Without `auth` no caller could ever use an entry with scopes. */
function checkScopes({ tools, resources, prompts }: Registry, auth?: Authenticator): void {
  const first = [...tools, ...resources, ...prompts].find(({ scopes }) => scopes.length > 0)
  if (first === undefined || auth !== undefined) return
  throw new RangeError(
    `${first.name} requires the scope ${first.scopes.join(' and ')}, but no caller can have it, ` +
      'because this Worker has no `auth`. Add it to createWorker, such as jwt({ issuer }).',
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

function checkCount(name: string, value: number, what: string): void {
  if (Number.isSafeInteger(value) && value > 0) return
  throw new RangeError(`\`${name}\` is ${value}. It must be a whole number of ${what}, 1 or more.`)
}
