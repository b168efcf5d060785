import { SignJWT } from 'jose'
import { algorithm, keyId, readSigningKey } from './signing-key.ts'

/** Whom a token is for, and what its holder may do. */
export interface Grant {
  readonly subject: string
  /** With spaces between them. */
  readonly scopes: string
  /** How long it is good; a negative number makes one that has expired. */
  readonly seconds: number
}

/**
 * Makes an access token (RFC 9068) for the server at this origin.
 *
 * @param secret the private key, PKCS #8 in Base64.
 */
export async function mintToken(
  secret: string,
  origin: string,
  { subject, scopes, seconds }: Grant,
): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  return new SignJWT({ scope: scopes, client_id: 'guarded-tests' })
    .setProtectedHeader({ alg: algorithm, kid: keyId, typ: 'at+jwt' })
    .setIssuer(origin)
    .setAudience(`${origin}/mcp`)
    .setSubject(subject)
    .setIssuedAt(now)
    .setExpirationTime(now + seconds)
    .sign(await readSigningKey(secret))
}
