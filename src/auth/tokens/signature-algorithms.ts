/**
 * All algorithms are asymmetric: whoever can read the published key cannot sign with it. `none` and the
 * HMACs are missing on purpose.
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

/** The algorithm of a JWT's signature, as in its header `alg`. */
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
