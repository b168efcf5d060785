import { decodeJwt } from 'jose/jwt/decode'
import type { LocalIssuer } from '../define/authenticator.ts'
import type { JsonObject } from '../protocol/json.ts'
import { toAuthResult } from './tokens/claims.ts'
import { readBearerToken } from './tokens/credentials.ts'
import { JwksCache } from './tokens/jwks.ts'
import { JwtVerifier } from './tokens/jwt-verifier.ts'

/** The `iss` and the `aud` of the tokens that `helve token` makes. */
export const localIssuerName = 'urn:helve:local-issuer'

/**
 * Lets a Worker accept the tokens of `helve token` beside those of its own authentication.
 *
 * Only a registry that was written under `wrangler dev` imports this module: a deployed Worker has neither
 * the key nor the code, so that no option can make it accept such a token.
 */
export function createLocalIssuer(jwks: JsonObject): LocalIssuer {
  const verifier = new JwtVerifier({
    issuer: localIssuerName,
    algorithms: ['ES256'],
    jwks: new JwksCache(async () => jwks),
  })
  const rules = { audience: localIssuerName, scopes: {} }
  return {
    jwks,
    extend: (auth) => ({
      allowsAnonymous: auth.allowsAnonymous,
      authorizationServers: (resource) => auth.authorizationServers(resource),
      async authenticate(context) {
        const bearer = readBearerToken(context.headers)
        if (bearer.kind !== 'token' || readIssuer(bearer.token) !== localIssuerName) {
          return auth.authenticate(context)
        }
        const verified = await verifier.verify(bearer.token, context)
        if (verified.kind === 'refused') {
          return { kind: 'refused', why: `${verified.why} Make another with \`helve token\`.` }
        }
        return toAuthResult(verified.claims, { ...rules, resource: context.resource })
      },
    }),
  }
}

/** Reads who a token says that it is from; `null` if it is not a JWT. Nothing is verified. */
function readIssuer(token: string): unknown {
  try {
    return decodeJwt(token).iss
  } catch {
    return null
  }
}
