import type { JWTVerifyOptions, JWTVerifyResult } from 'jose'
import {
  JOSEError,
  JWKSMultipleMatchingKeys,
  JWKSNoMatchingKey,
  JWTClaimValidationFailed,
  JWTExpired,
} from 'jose/errors'
import type { LocalJWKSet } from 'jose/jwks/local'
import { jwtVerify } from 'jose/jwt/verify'
import type { AuthContext } from '../../define/authenticator.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { BoundedMap } from '../../util/bounded-map.ts'
import type { JwksCache } from './jwks.ts'

interface JwtRules {
  readonly issuer: string
  readonly algorithms: readonly string[]
  readonly jwks: JwksCache
}

type VerifiedJwt =
  | { readonly kind: 'claims'; readonly claims: JsonObject }
  | { readonly kind: 'refused'; readonly why: string }

const leeway = 30
const maxRememberedTokens = 1_000
/** RFC 9068, 2.1, and what issuers older than it write. Tokens of other kinds have another `typ`. */
const accessTokenTypes = new Set(['at+jwt', 'application/at+jwt', 'jwt'])

/**
 * Verifies the signature, type, issuer, expiry and not-before time of JWTs (RFC 9068, 4), and not their
 * audience. The signature of a token is verified once for as long as the keys stay the same: that costs
 * more than everything else that a request needs.
 */
export class JwtVerifier {
  readonly #jwks: JwksCache
  readonly #options
  /**
   * Only good tokens, so that made-up ones evict nothing. The key is the token itself: it is in memory
   * during its request anyway, and a digest would cost as much as the rest of the check.
   */
  readonly #verified = new BoundedMap<
    string,
    { readonly keys: LocalJWKSet; readonly claims: JsonObject }
  >(maxRememberedTokens)

  constructor({ issuer, algorithms, jwks }: JwtRules) {
    this.#jwks = jwks
    this.#options = {
      issuer,
      algorithms: [...algorithms],
      clockTolerance: leeway,
      requiredClaims: ['exp', 'sub'],
    }
  }

  /** @throws {Error} if there are no keys to verify with. */
  async verify(token: string, context: AuthContext): Promise<VerifiedJwt> {
    const keys = await this.#jwks.get(context)
    try {
      return { kind: 'claims', claims: await this.#readClaims(keys, token, context) }
    } catch (error) {
      // only the token and the keys are left, and a token that cannot be verified is refused
      if (!(error instanceof JOSEError) || keySetErrors.has(error.code)) {
        context.log.warn('authentication', 'A token could not be verified, and is refused.', error)
      }
      return { kind: 'refused', why: toTokenProblem(error) }
    }
  }

  async #readClaims(keys: LocalJWKSet, token: string, context: AuthContext): Promise<JsonObject> {
    const verified = this.#verified.get(token)
    if (verified?.keys === keys) return checkExpiry(verified.claims)
    try {
      return await this.#verifyWith(keys, token)
    } catch (error) {
      if (!(error instanceof JWKSNoMatchingKey)) throw error
      return this.#verifyWith(await this.#jwks.getRefreshed(context), token)
    }
  }

  async #verifyWith(keys: LocalJWKSet, token: string): Promise<JsonObject> {
    const { payload, protectedHeader } = await verifyWithAny(keys, token, this.#options)
    // whatever the type of the library says, the issuer decides what it is
    const type: unknown = protectedHeader.typ
    if (type !== undefined && !(typeof type === 'string' && isAccessToken(type))) {
      throw new JWTClaimValidationFailed('not an access token', payload, 'typ')
    }
    this.#verified.set(token, { keys, claims: payload })
    return payload
  }
}

function isAccessToken(type: string): boolean {
  return accessTokenTypes.has(type.toLowerCase())
}

/** Tries each key that fits, if the token has no key id or if several keys have the same one. */
async function verifyWithAny(
  keys: LocalJWKSet,
  token: string,
  options: JWTVerifyOptions,
): Promise<JWTVerifyResult> {
  try {
    return await jwtVerify(token, keys, options)
  } catch (error) {
    if (!(error instanceof JWKSMultipleMatchingKeys)) throw error
    for await (const key of error) {
      try {
        return await jwtVerify(token, key, options)
      } catch (error) {
        // the signature was right
        if (error instanceof JWTExpired || error instanceof JWTClaimValidationFailed) throw error
      }
    }
    throw error
  }
}

/** The only check that can change its result for a token that has been verified. */
function checkExpiry(claims: JsonObject): JsonObject {
  const expires = Number(claims['exp']) + leeway
  if (expires * 1000 > Date.now()) return claims
  throw new JWTExpired('expired since it was verified', { ...claims }, 'exp')
}

/** The errors of jose about a broken key, which the owner of the server should know about. */
const keySetErrors = new Set(['ERR_JWKS_INVALID', 'ERR_JWK_INVALID'])

const claimProblems = new Map([
  ['iss', 'The token is from another issuer.'],
  ['nbf', 'The token is not valid yet.'],
  ['typ', 'The token is not an access token.'],
])

/**
 * Returns what is wrong with a token, as a sentence for clients. A library's own messages may change,
 * and may contain what was sent.
 */
function toTokenProblem(error: unknown): string {
  if (error instanceof JWTExpired) return 'The token has expired.'
  if (error instanceof JWTClaimValidationFailed) {
    const { claim } = error
    return claimProblems.get(claim) ?? `The claim ${claim} of the token is missing or invalid.`
  }
  return 'The token could not be verified with the keys of its issuer.'
}

/**
 * Only asymmetric algorithms, whose published keys cannot sign. `none` and HMACs are missing on
 * purpose.
 */
const signatureAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const

export type SignatureAlgorithm = (typeof signatureAlgorithms)[number]

/**
 * Reads the list of accepted algorithms. By default it has every asymmetric one.
 *
 * @throws {RangeError} if the list is empty or has an algorithm that is not asymmetric.
 */
export function readAlgorithms(
  algorithms: readonly string[] = signatureAlgorithms,
): readonly string[] {
  const known: readonly string[] = signatureAlgorithms
  const unknown = algorithms.find((algorithm) => !known.includes(algorithm))
  if (unknown === undefined && algorithms.length > 0) return algorithms
  const problem =
    unknown === undefined
      ? 'is an empty list'
      : `has "${unknown}", which is not an asymmetric signature algorithm`
  throw new RangeError(
    `\`algorithms\` ${problem}. Use some of ${known.join(', ')}, or leave out \`algorithms\`.`,
  )
}
