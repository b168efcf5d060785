import { JOSEError, JWTClaimValidationFailed, JWTExpired } from 'jose/errors'

/** What jose says of a key set that is broken, which no token can help. */
const ofKeys = new Set(['ERR_JWKS_INVALID', 'ERR_JWK_INVALID'])

const ofClaims = new Map([
  ['iss', 'The token is from another issuer.'],
  ['nbf', 'The token is not valid yet.'],
  ['typ', 'The token is not an access token.'],
])

/**
 * What is wrong with a token, as a sentence for its holder, or `null` for an error that is not the
 * token's. The words are our own: those of a library may change, and may carry what was sent.
 */
export function toTokenProblem(error: unknown): string | null {
  if (!(error instanceof JOSEError) || ofKeys.has(error.code)) return null
  if (error instanceof JWTExpired) return 'The token has expired.'
  if (error instanceof JWTClaimValidationFailed) {
    return ofClaims.get(error.claim) ?? `The token's claim ${error.claim} is missing or wrong.`
  }
  return 'The token is not one that this server can verify.'
}
