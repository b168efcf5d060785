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
