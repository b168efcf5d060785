import type { Authenticator } from '../define/authenticator.ts'
import { toBase64, toBase64Url } from '../util/bytes.ts'
import { authenticateClaims } from './tokens/claims.ts'
import {
  KnownCallers,
  authenticateBearer,
  readSecret,
  toTokenDigest,
} from './tokens/credentials.ts'
import { fetchJson, readSecureUrl } from './tokens/key-source.ts'
import type { ScopeHierarchy } from './tokens/scopes.ts'

interface IntrospectionOptions {
  /** The URL that is asked about tokens. */
  readonly endpoint: string
  /** Who asks: an id, and the name of the Worker's secret that holds its password. */
  readonly client: { readonly id: string; readonly secret: string }
  /** The authorization server, for clients to find it. The endpoint's origin unless said. */
  readonly issuer?: string
  /** What `aud` must name. This server's own URL unless said otherwise. */
  readonly audience?: string | readonly string[]
  /** Which scopes a scope implies. */
  readonly scopes?: ScopeHierarchy
}

/**
 * Callers bring tokens of any kind, and the authorization server is asked about them (RFC 7662). Its
 * answer is kept for half a minute, and never past the token's expiry.
 *
 * @throws {RangeError} when a URL is not secure.
 */
export function introspection(options: IntrospectionOptions): Authenticator {
  const { endpoint, client, audience, scopes = {} } = options
  const { issuer = readSecureUrl('endpoint', endpoint).origin } = options
  readSecureUrl('issuer', issuer)
  const known = new KnownCallers()

  return {
    allowsAnonymous: false,
    authorizationServers: () => [issuer],
    authenticate: authenticateBearer(async (token, { env, resource }) => {
      // the same token may be for one host of this Worker and not for another
      const digest = `${toBase64Url(await toTokenDigest(token))} ${resource}`
      const caller = known.get(digest)
      if (caller !== null) return { kind: 'caller', caller }
      const claims = await fetchJson(endpoint, {
        method: 'POST',
        headers: { Authorization: toBasic(client.id, readSecret(env, client.secret)) },
        body: new URLSearchParams({ token, token_type_hint: 'access_token' }),
      })
      // whatever the reason is, the server keeps it to itself (RFC 7662, 2.2)
      if (claims['active'] !== true) return { kind: 'refused', why: 'The token is not active.' }
      const authenticated = authenticateClaims(claims, { audience, resource, scopes })
      if (authenticated.kind === 'caller') known.set(digest, authenticated.caller)
      return authenticated
    }),
  }
}

// both halves are form-encoded first (RFC 6749, 2.3.1), or a colon in them would move the seam
function toBasic(id: string, secret: string): string {
  const pair = [id, secret]
    .map((half) => new URLSearchParams({ half }).toString().slice(5))
    .join(':')
  return `Basic ${toBase64(new TextEncoder().encode(pair))}`
}
