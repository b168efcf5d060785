import type { Arrival, Authenticated, Authenticator } from '../../define/authenticator.ts'
import type { Caller } from '../../protocol/caller.ts'
import { BoundedMap } from '../../util/bounded-map.ts'

/** Judges a token. */
type Check = (token: string, arrival: Arrival) => Promise<Authenticated>

/** Makes the half of an authenticator that finds the token, for those that have one to judge. */
export function authenticateBearer(check: Check): Authenticator['authenticate'] {
  return async (arrival) => {
    const bearer = readBearer(arrival.headers)
    if (bearer.kind === 'none') return { kind: 'anonymous' }
    return bearer.kind === 'malformed' ? bearer : check(bearer.token, arrival)
  }
}

/** What the `Authorization` header of a request brings. */
export type Bearer =
  | { readonly kind: 'none' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'token'; readonly token: string }

const scheme = /^bearer(?: |$)/i
const credentials = /^bearer +([\w.~+/-]+=*)$/i

/**
 * Reads a bearer token (RFC 6750, 2.1). There is no other place for one: a token in a URL ends up in
 * logs and histories, so it is never looked for there (basic/authorization, "Token Requirements").
 */
export function readBearer(headers: Headers): Bearer {
  const header = headers.get('Authorization') ?? ''
  // another scheme brings nothing that could be judged here (RFC 6750, 3.1)
  if (!scheme.test(header)) return { kind: 'none' }
  const token = credentials.exec(header)?.[1]
  return token === undefined ? { kind: 'malformed' } : { kind: 'token', token }
}

const encoder = new TextEncoder()

/** The SHA-256 of a token, so that what is kept or looked up by it is worth nothing to a thief. */
export async function toTokenDigest(token: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(token)))
}

interface Known {
  readonly caller: Caller
  /** Milliseconds since 1970. */
  readonly until: number
}

/** Callers that an isolate remembers. */
const maxCallers = 1_000
/** Milliseconds for which a caller is not asked for again, and so a revoked token still works. */
const maxAgeMs = 30_000

/**
 * The callers that were told by a service lately, by the digest of their token. Only those who were
 * let in are kept: made-up tokens push nobody out.
 */
export class KnownCallers {
  readonly #callers = new BoundedMap<string, Known>(maxCallers)

  get(digest: string): Caller | null {
    const known = this.#callers.get(digest)
    return known !== undefined && known.until > Date.now() ? known.caller : null
  }

  set(digest: string, caller: Caller): void {
    const until = Math.min(Date.now() + maxAgeMs, caller.expires ?? Infinity)
    this.#callers.set(digest, { caller, until })
  }
}

/**
 * Reads a secret of the Worker by its name, at the request: at start there is no `env`.
 *
 * @throws {Error} that says what to do, when there is no such secret.
 */
export function readSecret(env: object, name: string): string {
  const secret: unknown = Reflect.get(env, name)
  if (typeof secret === 'string' && secret !== '') return secret
  throw new Error(`The secret ${name} is not set. Set it with \`wrangler secret put ${name}\`.`)
}
