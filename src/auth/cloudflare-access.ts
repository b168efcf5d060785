import type { Authenticated, Authenticator } from '../define/authenticator.ts'
import { authenticateClaims } from './tokens/claims.ts'
import { createKeySource, fetchJson } from './tokens/key-source.ts'
import { createTokenVerifier, readAlgorithms } from './tokens/token-verifier.ts'

interface AccessOptions {
  /** The team's name, as in `https://<team>.cloudflareaccess.com`. */
  readonly team: string
  /** The application's AUD tag; several while one application replaces another. */
  readonly audience: string | readonly string[]
}

const teamName = /^[a-z0-9][a-z0-9-]*$/

/**
 * Callers come through Cloudflare Access, which signs them in and tells the Worker who they are. The
 * Worker checks the signature itself: a request that found a way around Access has none.
 *
 * @throws {RangeError} when the team's name could not be one.
 */
export function access({ team, audience }: AccessOptions): Authenticator {
  if (!teamName.test(team)) {
    throw new RangeError(
      `"${team}" is not a team of Cloudflare Access. Give the name before .cloudflareaccess.com.`,
    )
  }
  const issuer = `https://${team}.cloudflareaccess.com`
  const verify = createTokenVerifier({
    issuer,
    algorithms: readAlgorithms(['RS256', 'ES256']),
    keys: createKeySource(() => fetchJson(`${issuer}/cdn-cgi/access/certs`)),
  })

  return {
    allowsAnonymous: false,
    // clients sign in with Access, before a request ever comes here
    authorizationServers: () => [],
    async authenticate({ headers, ctx, resource }): Promise<Authenticated> {
      const token = headers.get('Cf-Access-Jwt-Assertion')
      if (token === null) return { kind: 'anonymous' }
      const verified = await verify(token, (work) => ctx.waitUntil(work))
      if (verified.kind === 'refused') return verified
      const { sub, common_name: service } = verified.claims
      // a service token has an empty subject and a name
      const claims = { ...verified.claims, sub: sub === '' ? service : sub }
      return authenticateClaims(claims, { audience, resource, scopes: {} })
    },
  }
}
