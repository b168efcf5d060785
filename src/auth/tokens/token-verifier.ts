import { JOSEError, JWKSNoMatchingKey, JWTClaimValidationFailed, JWTExpired } from 'jose/errors'
import type { LocalJWKSet } from 'jose/jwks/local'
import { jwtVerify } from 'jose/jwt/verify'
import type { JsonObject } from '../../protocol/json.ts'
import { BoundedMap } from '../../util/bounded-map.ts'
import type { KeySource, WaitUntil } from './key-source.ts'

interface TokenRules {
  readonly issuer: string
  readonly algorithms: readonly string[]
  readonly keys: KeySource
}

type Verified =
  | { readonly kind: 'claims'; readonly claims: JsonObject }
  | { readonly kind: 'refused'; readonly why: string }

/** Seconds by which clocks may differ. */
const leeway = 30
/** Proofs that an isolate remembers. Only good tokens have one, so that no other pushes them out. */
const maxProofs = 1_000
/** RFC 9068, 2.1, and what issuers write who came before it. Tokens of other kinds say so. */
const accessTokenTypes = new Set(['at+jwt', 'application/at+jwt', 'jwt'])

/**
 * Makes the check of signature, type, issuer, expiry and not-before (RFC 9068, 4). Whom a token is
 * for remains to be seen. Its signature is verified once for as long as the keys stay the same: that
 * costs more than everything else that a request needs.
 *
 * The check throws when there are no keys to verify with.
 */
export function createTokenVerifier(
  rules: TokenRules,
): (token: string, waitUntil: WaitUntil) => Promise<Verified> {
  const { keys, issuer } = rules
  const options = {
    issuer,
    algorithms: [...rules.algorithms],
    clockTolerance: leeway,
    requiredClaims: ['exp', 'sub'],
  }
  // by the token itself: it is in this memory anyway while its request is, and a digest each time
  // would cost as much as the rest of the check
  const proofs = new BoundedMap<string, { readonly set: LocalJWKSet; readonly claims: JsonObject }>(
    maxProofs,
  )

  async function prove(token: string, set: LocalJWKSet): Promise<JsonObject> {
    const { payload, protectedHeader } = await jwtVerify(token, set, options)
    if (!accessTokenTypes.has((protectedHeader.typ ?? 'jwt').toLowerCase())) {
      throw new JWTClaimValidationFailed('not an access token', payload, 'typ')
    }
    proofs.set(token, { set, claims: payload })
    return payload
  }
  async function toClaims(token: string, waitUntil: WaitUntil): Promise<JsonObject> {
    const set = await keys.current(waitUntil)
    const proof = proofs.get(token)
    if (proof?.set === set) return toLiving(proof.claims)
    try {
      return await prove(token, set)
    } catch (error) {
      if (!(error instanceof JWKSNoMatchingKey)) throw error
      return prove(token, await keys.renewed(waitUntil))
    }
  }
  return async (token, waitUntil) => {
    try {
      return { kind: 'claims', claims: await toClaims(token, waitUntil) }
    } catch (error) {
      const why = toTokenProblem(error)
      if (why === null) throw error
      return { kind: 'refused', why }
    }
  }
}

// a proof says nothing of the time; the rest of it cannot change
function toLiving(claims: JsonObject): JsonObject {
  const expires = Number(claims['exp']) + leeway
  if (expires * 1000 > Date.now()) return claims
  throw new JWTExpired('expired since it was proved', { ...claims }, 'exp')
}

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
function toTokenProblem(error: unknown): string | null {
  if (!(error instanceof JOSEError) || ofKeys.has(error.code)) return null
  if (error instanceof JWTExpired) return 'The token has expired.'
  if (error instanceof JWTClaimValidationFailed) {
    return ofClaims.get(error.claim) ?? `The token's claim ${error.claim} is missing or wrong.`
  }
  return 'The token is not one that this server can verify.'
}

/**
 * The signatures that are accepted unless said: asymmetric ones, so that whoever can read the
 * published key cannot sign with it. `none` and the HMACs are not here and cannot be asked for.
 */
const asymmetric = [
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

export type Algorithm = (typeof asymmetric)[number]

/**
 * Reads the list of accepted algorithms.
 *
 * @throws {RangeError} for one that is not asymmetric, and for an empty list.
 */
export function readAlgorithms(algorithms: readonly string[] = asymmetric): readonly string[] {
  const known: readonly string[] = asymmetric
  const wrong = algorithms.find((algorithm) => !known.includes(algorithm))
  if (wrong === undefined && algorithms.length > 0) return algorithms
  throw new RangeError(
    `\`algorithms\` has ${wrong === undefined ? 'no entry' : `"${wrong}"`}. ` +
      `Name some of ${known.join(', ')}, or leave it out.`,
  )
}
