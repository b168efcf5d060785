import type { AuthContext, AuthResult, Authenticator } from '../define/authenticator.ts'
import { toBase64, toBase64Url } from '../util/bytes.ts'
import { AskedTokens } from './tokens/asked-tokens.ts'
import { authenticateBearer, readWorkerSecret, toTokenDigest } from './tokens/credentials.ts'
import { toAuthResult } from './tokens/claims.ts'
import { fetchJson, readSecureUrl } from './tokens/fetch-json.ts'
import type { ScopeHierarchy } from './tokens/scopes.ts'

export interface IntrospectionOptions {
  readonly endpoint: string
  /** This server as a client of the endpoint; `secret` is the name of the secret with its password. */
  readonly client: { readonly id: string; readonly secret: string }
  /** The authorization server at which clients sign in. Defaults to the origin of `endpoint`. */
  readonly issuer?: string
  /** What `aud` must include, or a list of alternatives. Defaults to the URL of this server. */
  readonly audience?: string | readonly string[]
  readonly scopes?: ScopeHierarchy
}

/**
 * Authenticates callers by access tokens of any format: the authorization server is asked about
 * each (RFC 7662). Its reply is cached for 30 seconds, and never past the expiry of the token. An address
 * of which too many tokens were refused gets 429, and the authorization server is not asked.
 *
 * @throws {RangeError} if a URL is not secure.
 */
export function introspection(options: IntrospectionOptions): Authenticator {
  const { endpoint, client, audience, scopes = {} } = options
  const { issuer = readSecureUrl('`endpoint`', endpoint).origin } = options
  readSecureUrl('`issuer`', issuer)
  const tokens = new AskedTokens()

  async function ask(token: string, { env, resource }: AuthContext): Promise<AuthResult> {
    const claims = await fetchJson(endpoint, {
      method: 'POST',
      headers: { Authorization: toBasic(client.id, readWorkerSecret(env, client.secret)) },
      body: new URLSearchParams({ token, token_type_hint: 'access_token' }),
    })
    // an authorization server does not say why a token is not active (RFC 7662, 2.2)
    if (claims['active'] !== true) return { kind: 'refused', why: 'The token is not active.' }
    const result = toAuthResult(claims, { audience, resource, scopes })
    // a server that calls a token active does not always look at its expiry
    const hasExpired = result.kind === 'caller' && (result.caller.expires ?? Infinity) <= Date.now()
    return hasExpired ? { kind: 'refused', why: 'The token has expired.' } : result
  }

  return {
    allowsAnonymous: false,
    authorizationServers: () => [issuer],
    authenticate: authenticateBearer(async (token, context) => {
      // a token may be valid for one host of this Worker and not for another
      const key = `${toBase64Url(await toTokenDigest(token))} ${context.resource}`
      return tokens.find(key, context, () => ask(token, context))
    }),
  }
}

// both halves are form-encoded first (RFC 6749, 2.3.1): they may contain the colon that separates them
function toBasic(id: string, secret: string): string {
  const pair = [id, secret]
    .map((half) => new URLSearchParams({ half }).toString().slice('half='.length))
    .join(':')
  return `Basic ${toBase64(new TextEncoder().encode(pair))}`
}
