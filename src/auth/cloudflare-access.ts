import type { AuthResult, Authenticator } from '../define/authenticator.ts'
import { toAuthResult } from './tokens/claims.ts'
import { fetchJson } from './tokens/fetch-json.ts'
import { JwksCache } from './tokens/jwks.ts'
import { JwtVerifier, readAlgorithms } from './tokens/jwt-verifier.ts'

export interface CloudflareAccessOptions {
  /** The name of the team, as in `https://<team>.cloudflareaccess.com`. */
  readonly team: string
  /** The AUD tag of the application; several while one application replaces another. */
  readonly audience: string | readonly string[]
}

const teamName = /^[a-z0-9][a-z0-9-]*$/

/**
 * Authenticates callers who have signed in to Cloudflare Access. The signature is verified here, as a
 * request may also reach the Worker without passing Access.
 *
 * @throws {RangeError} if `team` cannot be the name of a team.
 */
export function cloudflareAccess({ team, audience }: CloudflareAccessOptions): Authenticator {
  if (!teamName.test(team)) {
    throw new RangeError(
      `\`team\` is "${team}", which is not the name of a Cloudflare Access team. ` +
        'Use the part of the team domain before .cloudflareaccess.com.',
    )
  }
  const issuer = `https://${team}.cloudflareaccess.com`
  const verifier = new JwtVerifier({
    issuer,
    algorithms: readAlgorithms(['RS256', 'ES256']),
    jwks: new JwksCache(() => fetchJson(`${issuer}/cdn-cgi/access/certs`)),
  })

  return {
    allowsAnonymous: false,
    // Access signs clients in before a request gets here
    authorizationServers: () => [],
    async authenticate(context): Promise<AuthResult> {
      const token = context.headers.get('Cf-Access-Jwt-Assertion')
      if (token === null) return { kind: 'anonymous' }
      const verified = await verifier.verify(token, context)
      if (verified.kind === 'refused') return verified
      const { sub, common_name: service } = verified.claims
      // the token of a service has an empty subject, and a name
      const claims = { ...verified.claims, sub: sub === '' ? service : sub }
      return toAuthResult(claims, { audience, resource: context.resource, scopes: {} })
    },
  }
}
