import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { audience, issuer } from './issuer-names.ts'

export interface Issuer {
  /** An access token that outlives the bench. */
  readonly token: string
  /** A Worker that answers everything with the issuer's public key. */
  readonly worker: string
}

export async function createIssuer(): Promise<Issuer> {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const key = { ...(await exportJWK(publicKey)), kid: 'bench', alg: 'ES256', use: 'sig' }
  const token = await new SignJWT({ scope: '', client_id: 'bench' })
    .setProtectedHeader({ alg: 'ES256', kid: 'bench', typ: 'at+jwt' })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject('ada')
    .setJti('bench')
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(privateKey)
  const answer = JSON.stringify(JSON.stringify({ keys: [key] }))
  const worker = `const type = { 'Content-Type': 'application/json' }
export default { fetch: () => new Response(${answer}, { headers: type }) }
`
  return { token, worker }
}
