import { exportJWK, importPKCS8, type CryptoKey, type JWK } from 'jose'

export const keyId = 'guarded'
export const algorithm = 'Ed25519'

/** Reads the key that signs tokens from its secret, PKCS #8 in Base64. */
export function readSigningKey(secret: string): Promise<CryptoKey> {
  const pem = `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----`
  return importPKCS8(pem, algorithm, { extractable: true })
}

/** The half of it that verifies them, for everybody to read. */
export async function toPublicKey(secret: string): Promise<JWK> {
  const { kty, crv, x } = await exportJWK(await readSigningKey(secret))
  if (kty === undefined || crv === undefined || x === undefined) {
    throw new TypeError(
      'SIGNING_KEY is no Ed25519 key. Delete test/guarded/.dev.vars: a new one is made.',
    )
  }
  return { kty, crv, x, alg: algorithm, use: 'sig', kid: keyId }
}
