import type {
  AuthContext,
  AuthResult,
  Authenticator,
  RequestContext,
} from '../../define/authenticator.ts'
import type { Caller } from '../../protocol/caller.ts'
import type { Failure } from '../../protocol/failure.ts'
import { type JsonObject, isJsonObject, isTextList } from '../../protocol/json.ts'
import type { WorkerLog } from '../../out/log.ts'
import { isLoopback } from '../../util/address.ts'
import { BoundedMap } from '../../util/bounded-map.ts'
import { toDigest } from '../../util/digest.ts'
import type { RateWindow } from '../../util/rate-limit.ts'
import { type ChallengeDetails, toAuthFailure, toStepUp } from './challenge.ts'
import { RefusalLimit, TooManyRefusals } from './request-limit.ts'
import { checkResource, toMetadata, toMetadataPaths, toMetadataUrl } from './resource-metadata.ts'

export interface GuardOptions {
  readonly auth: Authenticator
  readonly endpoint: string
  /** The public URL of the endpoint. Defaults to the request's own URL. */
  readonly resource?: string
  /** The scopes that a client should request when it first signs in. */
  readonly scopes: readonly string[]
  readonly name: string
  /** The limit and period of the `limit` of all requests. */
  readonly window?: RateWindow
}

/** A caller, or the failure of a refused request. */
type Admission =
  | { readonly kind: 'admitted'; readonly caller: Caller | null; readonly digest: string | null }
  | { readonly kind: 'refused'; readonly failure: Failure }

/** Authenticates requests (basic/authorization). */
export class Guard {
  readonly #options: GuardOptions
  readonly #refusals: RefusalLimit
  /** Whether the host of a request is trusted, or the log says that it is not. */
  #knowsHosts: boolean
  readonly #metadataPaths: readonly string[]

  /** @throws {RangeError} when `resource` is not the URL of the endpoint. */
  constructor(options: GuardOptions) {
    const { resource, endpoint } = options
    if (resource !== undefined) checkResource(resource, endpoint)
    this.#options = options
    this.#knowsHosts = resource !== undefined
    this.#refusals = new RefusalLimit({
      window: options.window,
      allowsAnonymous: options.auth.allowsAnonymous,
    })
    this.#metadataPaths = toMetadataPaths(endpoint)
  }

  get allowsAnonymous(): boolean {
    return this.#options.auth.allowsAnonymous
  }

  /** Decides by the headers alone, before the body is read. */
  async admit(
    request: Request,
    env: Cloudflare.Env,
    ctx: RequestContext,
    log: WorkerLog,
  ): Promise<Admission> {
    const { headers, url } = request
    const { auth } = this.#options
    if (!this.#knowsHosts) this.#checkHosts(request, log)
    const resource = this.#toResource(url)
    const refusals = this.#refusals
    const result = await authenticate(auth, { headers, url, env, ctx, resource, log, refusals })
    switch (result.kind) {
      case 'unknown': {
        if (result.error instanceof TooManyRefusals) {
          return { kind: 'refused', failure: result.error.failure }
        }
        const errorId = log.error('authentication', result.error)
        return { kind: 'refused', failure: { kind: 'authentication-unavailable', errorId } }
      }
      case 'caller':
        return {
          kind: 'admitted',
          caller: result.caller,
          digest: await toCallerDigest(result.caller),
        }
      case 'anonymous':
        if (auth.allowsAnonymous) return { kind: 'admitted', caller: null, digest: null }
    }
    return { kind: 'refused', failure: toAuthFailure(result, this.#toChallenged(url)) }
  }

  /** Asks no other service about an address that is over the limit of all requests. */
  block(address: string, seconds: number): void {
    this.#refusals.block(address, seconds)
  }

  /** Returns the failure for a caller without all of the needed scopes. */
  stepUp(url: string, caller: Caller | null, needed: readonly string[]): Failure {
    return toStepUp(caller, { ...this.#toChallenged(url), scopes: needed })
  }

  /** Returns the protected resource metadata, if it is served at this URL (RFC 9728). */
  describe(url: string): object | null {
    if (!this.#metadataPaths.includes(new URL(url).pathname)) return null
    const { auth, scopes, name } = this.#options
    const resource = this.#toResource(url)
    const authorizationServers = auth.authorizationServers(resource)
    if (authorizationServers.length === 0) return null
    return toMetadata({ resource, authorizationServers, scopes, name })
  }

  /** On Cloudflare a request has `cf`, and its host is one of the owner's. */
  #checkHosts({ cf, url }: Request, log: WorkerLog): void {
    if (cf === undefined && isLoopback(new URL(url))) return
    this.#knowsHosts = true
    if (cf === undefined) log.warn('authentication', hostWarning)
  }

  #toResource(url: string): string {
    const { resource, endpoint } = this.#options
    return toResourceUri(resource, url, endpoint)
  }

  #toChallenged(url: string): ChallengeDetails {
    const { auth, scopes } = this.#options
    const resource = this.#toResource(url)
    const hasIssuer = auth.authorizationServers(resource).length > 0
    return { scopes, metadataUrl: hasIssuer ? toMetadataUrl(resource) : null }
  }
}

const hostWarning =
  'This Worker does not run on Cloudflare, and createWorker has no `resource`. The Host header of a ' +
  'request then decides for which audience tokens must be, and its CF-Connecting-IP header decides ' +
  'as which address it counts. Set `resource` to the public URL of the endpoint, and let the proxy ' +
  'in front of the Worker overwrite CF-Connecting-IP.'

/**
 * An authenticator that throws, or that returns something else than its type says, could not check
 * the credentials, which is not the caller's fault.
 */
async function authenticate(
  auth: Authenticator,
  context: AuthContext,
): Promise<AuthResult | { readonly kind: 'unknown'; readonly error: unknown }> {
  try {
    return readAuthResult(await auth.authenticate(context))
  } catch (error) {
    return { kind: 'unknown', error }
  }
}

/** @throws {TypeError} for anything but an `AuthResult`: it may come from code without types. */
function readAuthResult(result: unknown): AuthResult {
  if (isJsonObject(result)) {
    const { kind } = result
    if (kind === 'caller') return toCallerResult(result['caller'])
    if (kind === 'anonymous' || kind === 'malformed') return { kind }
    const why = kind === 'refused' ? result['why'] : undefined
    if (typeof why === 'string') return { kind: 'refused', why }
  }
  throw new TypeError(
    `The authenticator returned ${describe(result)}, which is not an AuthResult. ` +
      "Return { kind: 'caller', caller }, { kind: 'anonymous' }, { kind: 'malformed' } or " +
      "{ kind: 'refused', why }.",
  )
}

/** The callers that were read. They are frozen, so reading them again would find the same. */
const readCallers = new WeakSet<object>()

function isRead(value: unknown): value is Caller {
  return typeof value === 'object' && value !== null && readCallers.has(value)
}

/** Milliseconds that clocks may differ. An authenticator may accept a token for so long after its expiry. */
const toleranceMs = 30_000

/**
 * Reads the caller that an authenticator returned, and refuses one whose credentials have expired. The
 * expiry of a caller that was read before is checked with tolerance: its authenticator has checked it,
 * perhaps with some, but code around it may have remembered the caller since.
 *
 * @throws {TypeError} if the value is not a caller.
 */
export function toCallerResult(value: unknown): AuthResult {
  const wasRead = isRead(value)
  const caller = wasRead ? value : readCaller(value)
  const until = (caller.expires ?? Infinity) + (wasRead ? toleranceMs : 0)
  return until <= Date.now()
    ? { kind: 'refused', why: 'The credentials have expired.' }
    : { kind: 'caller', caller }
}

/**
 * Reads a caller from the value of any code. A value that is not a caller must let no request in.
 *
 * @throws {TypeError} that names the member that is wrong.
 */
export function readCaller(
  value: unknown,
  toClaims: (claims: JsonObject) => JsonObject = toPlainClaims,
): Caller {
  if (!isJsonObject(value)) throw new TypeError(`${describe(value)} is not a caller. ${advice}`)
  // each member is read once, because a getter may return something else the next time
  const { subject, issuer, client, scopes = [], claims = {}, expires } = value
  if (!isName(subject)) throw toCallerError('subject', subject, 'a text that is not empty')
  if (issuer !== undefined && !isName(issuer)) throw toCallerError('issuer', issuer, 'a text')
  if (client !== undefined && !isName(client)) throw toCallerError('client', client, 'a text')
  // a copy, which has `undefined` in place of each hole
  const granted = typeof scopes === 'string' ? scopes.split(' ') : toCopy(scopes)
  if (!isTextList(granted)) {
    throw toCallerError('scopes', scopes, 'a list of texts, or one text with spaces between scopes')
  }
  if (!isJsonObject(claims)) throw toCallerError('claims', claims, 'an object')
  if (expires !== undefined && (typeof expires !== 'number' || !Number.isFinite(expires))) {
    throw toCallerError('expires', expires, 'a time in milliseconds since 1970')
  }
  const caller: Caller = {
    subject,
    ...(issuer !== undefined && { issuer }),
    ...(client !== undefined && { client }),
    scopes: Object.freeze([...new Set(granted)].filter((scope) => scope !== '').toSorted()),
    claims: toClaims(claims),
    ...(expires !== undefined && { expires }),
  }
  readCallers.add(Object.freeze(caller))
  return caller
}

function toCopy(value: unknown): unknown {
  return Array.isArray(value) ? Array.from<unknown>(value) : value
}

/** Whether a value can name somebody: a text that is not empty. */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

/** Round-trips the claims through JSON, so that code sees exactly what a cache key distinguishes. */
function toPlainClaims(claims: JsonObject): JsonObject {
  const plain: unknown = JSON.parse(JSON.stringify(claims, refusePromise) ?? 'null')
  if (isJsonObject(plain)) return plain
  throw toCallerError('claims', plain, 'an object')
}

// JSON.stringify would print {}, and a claim that was not awaited is a mistake
function refusePromise(key: string, value: unknown): unknown {
  if (!(value instanceof Promise)) return value
  throw new TypeError(`\`claims.${key}\` of the caller is a Promise. Await it.`)
}

const advice =
  "Return an object such as { subject: 'ada', scopes: ['read'] }, or `null` for a request that " +
  'proves nothing.'

function toCallerError(member: string, value: unknown, right: string): TypeError {
  return new TypeError(`\`${member}\` of the caller is ${describe(value)}. It must be ${right}.`)
}

/** Describes a value without its contents, which may be credentials. */
function describe(value: unknown): string {
  if (value === undefined || value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'number') return `the number ${value}`
  if (value === '') return 'an empty text'
  if (typeof value === 'string') return 'a text'
  if (value instanceof Promise) return 'a Promise'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** How many digests an isolate remembers: computing one costs more than the rest of authentication. */
const maxDigests = 1_000

const digests = new BoundedMap<string, string>(maxDigests)

/**
 * Returns the digest of a caller, under which state is stored and which logs may contain. It is
 * computed from issuer and subject, because a person uses many tokens and clients.
 */
export async function toCallerDigest({ issuer, subject }: Caller): Promise<string> {
  const vouched = [issuer ?? null, subject]
  const name = JSON.stringify(vouched)
  const digest = digests.get(name) ?? (await toDigest(vouched))
  digests.set(name, digest)
  return digest
}

/**
 * Returns the URI that tokens for this server must name (RFC 8707, 2): the configured one, or the
 * URL of the endpoint on the request's host. Forwarded headers are ignored: with them a sender
 * could direct clients to another authorization server.
 *
 * A server at the root has no trailing slash (basic/authorization, "Canonical Server URI").
 */
export function toResourceUri(
  configured: string | undefined,
  requestUrl: string,
  endpoint: string,
): string {
  if (configured !== undefined) return configured
  return new URL(requestUrl).origin + (endpoint === '/' ? '' : endpoint)
}
