import type { Authenticator } from '../define/authenticator.ts'
import { authenticateClaims } from './tokens/claims.ts'
import { authenticateBearer } from './tokens/credentials.ts'
import { createKeySource, discoverKeysUrl, fetchJson, readSecureUrl } from './tokens/key-source.ts'
import type { ScopeHierarchy } from './tokens/scopes.ts'
import { type Algorithm, createTokenVerifier, readAlgorithms } from './tokens/token-verifier.ts'

export interface JwtOptions {
  /** The authorization server, spelt exactly as it spells itself in `iss`. */
  readonly issuer: string
  /** What `aud` must name. This server's own URL unless said otherwise. */
  readonly audience?: string | readonly string[]
  /** The URL of the issuer's keys; found out from its metadata unless said. */
  readonly jwks?: string
  /** Which scopes a scope implies. */
  readonly scopes?: ScopeHierarchy
  /** The signature algorithms to accept; every asymmetric one unless said. */
  readonly algorithms?: readonly Algorithm[]
}

/**
 * Callers bring access tokens that are JWTs (RFC 9068), verified with the issuer's published keys.
 *
 * @throws {RangeError} when a URL is not secure or an algorithm not asymmetric.
 */
export function jwt(options: JwtOptions): Authenticator {
  const { issuer, jwks, audience, scopes = {} } = options
  readSecureUrl('issuer', issuer)
  if (jwks !== undefined) readSecureUrl('jwks', jwks)
  const verify = createTokenVerifier({
    issuer,
    algorithms: readAlgorithms(options.algorithms),
    keys: createKeySource(async () => fetchJson(jwks ?? (await discoverKeysUrl(issuer)))),
  })

  return {
    allowsAnonymous: false,
    authorizationServers: () => [issuer],
    authenticate: authenticateBearer(async (token, { ctx, resource }) => {
      const verified = await verify(token, (work) => ctx.waitUntil(work))
      if (verified.kind === 'refused') return verified
      return authenticateClaims(verified.claims, { audience, resource, scopes })
    }),
  }
}
