import { env } from 'cloudflare:workers'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { vi } from 'vitest'

const { privateKey, publicKey } = await generateKeyPair('ES256')
const keys = [{ ...(await exportJWK(publicKey)), kid: 'test', alg: 'ES256' }]
const metadata = { issuer: env.ISSUER, jwks_uri: `${env.ISSUER}/jwks` }

/** Signs a token for the server at `url`, and is the authorization server that the Worker asks for its keys. */
export async function signIn(url: string): Promise<string> {
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) =>
    Response.json(new Request(input).url === metadata.jwks_uri ? { keys } : metadata),
  )
  return new SignJWT({ scope: '' })
    .setProtectedHeader({ alg: 'ES256', kid: 'test' })
    .setIssuer(env.ISSUER)
    .setAudience(url)
    .setSubject('ada')
    .setExpirationTime('5m')
    .sign(privateKey)
}
