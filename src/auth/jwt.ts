import type { Authenticator } from '../define/authenticator.ts'
import { authenticateBearer } from './tokens/credentials.ts'
import { toAuthResult } from './tokens/claims.ts'
import { fetchJson, readSecureUrl } from './tokens/fetch-json.ts'
import { discoverJwksUrl } from './tokens/issuer-metadata.ts'
import { JwksCache } from './tokens/jwks.ts'
import { JwtVerifier, type SignatureAlgorithm, readAlgorithms } from './tokens/jwt-verifier.ts'
import type { ScopeHierarchy } from './tokens/scopes.ts'

export type { SignatureAlgorithm } from './tokens/jwt-verifier.ts'

export interface JwtOptions {
  /** The authorization server, spelt exactly as in the `iss` of its tokens. */
  readonly issuer: string
  /** What `aud` must include, or a list of alternatives. Defaults to the URL of this server. */
  readonly audience?: string | readonly string[]
  /** The URL of the issuer's key set. Defaults to `jwks_uri` in the metadata of the issuer. */
  readonly jwks?: string
  readonly scopes?: ScopeHierarchy
  /** The signature algorithms to accept. Defaults to all asymmetric ones. */
  readonly algorithms?: readonly SignatureAlgorithm[]
}

/**
 * Authenticates callers by access tokens that are JWTs (RFC 9068), verified with the keys that their
 * issuer publishes.
 *
 * @throws {RangeError} if a URL is not secure, or an algorithm is not asymmetric.
 */
export function jwt(options: JwtOptions): Authenticator {
  const { issuer, jwks, audience, scopes = {} } = options
  readSecureUrl('`issuer`', issuer)
  if (jwks !== undefined) readSecureUrl('`jwks`', jwks)
  const verifier = new JwtVerifier({
    issuer,
    algorithms: readAlgorithms(options.algorithms),
    jwks: new JwksCache(async () => fetchJson(jwks ?? (await discoverJwksUrl(issuer)))),
  })

  return {
    allowsAnonymous: false,
    authorizationServers: () => [issuer],
    authenticate: authenticateBearer(async (token, context) => {
      const verified = await verifier.verify(token, context)
      if (verified.kind === 'refused') return verified
      return toAuthResult(verified.claims, { audience, resource: context.resource, scopes })
    }),
  }
}
