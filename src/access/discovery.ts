import { fetchJson } from './fetch-json.ts'
import { readSecureUrl } from './secure-url.ts'

/**
 * Where the metadata of an issuer may be, in the order of
 * basic/authorization/authorization-server-discovery: OAuth (RFC 8414), then OpenID Connect.
 */
export function toDiscoveryUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  return [
    ...new Set([
      `${origin}/.well-known/oauth-authorization-server${path}`,
      `${origin}/.well-known/openid-configuration${path}`,
      `${origin}${path}/.well-known/openid-configuration`,
    ]),
  ]
}

/**
 * Finds out where an issuer publishes its keys.
 *
 * @throws {Error} that says what each URL answered, where none of them served.
 */
export async function discoverKeysUrl(issuer: string): Promise<string> {
  const failures: string[] = []
  for (const url of toDiscoveryUrls(issuer)) {
    try {
      // one after the other: the first is there nearly always
      // oxlint-disable-next-line no-await-in-loop
      return await fetchKeysUrl(url, issuer)
    } catch (error) {
      failures.push(error instanceof Error ? error.message : String(error))
    }
  }
  throw new Error(
    `The keys of ${issuer} were not found. ${failures.join(' ')} ` +
      'Correct `issuer`, or name the URL of its keys as `jwks`.',
  )
}

async function fetchKeysUrl(url: string, issuer: string): Promise<string> {
  const { issuer: named, jwks_uri: keys } = await fetchJson(url)
  // RFC 8414, 3.3: metadata that speaks for another issuer must not be used
  if (named !== issuer) throw new Error(`${url} is about the issuer ${JSON.stringify(named)}.`)
  if (typeof keys !== 'string') throw new Error(`${url} names no jwks_uri.`)
  return readSecureUrl(`jwks_uri in ${url}`, keys).href
}
