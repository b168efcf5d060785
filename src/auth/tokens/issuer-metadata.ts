import { fetchJson, readSecureUrl, toMessage } from './fetch-json.ts'

/**
 * Finds the URL of an issuer's keys in the metadata that the issuer publishes.
 *
 * @throws {Error} that says what is wrong at each URL, if none of them has usable metadata.
 */
export async function discoverJwksUrl(issuer: string): Promise<string> {
  const failures: string[] = []
  for (const url of toIssuerMetadataUrls(issuer)) {
    try {
      // one after the other: the first URL nearly always works
      // oxlint-disable-next-line no-await-in-loop
      return await fetchJwksUrl(url, issuer)
    } catch (error) {
      failures.push(toMessage(error))
    }
  }
  throw new Error(
    `The keys of the issuer ${issuer} were not found. ${failures.join(' ')} ` +
      'Correct `issuer`, or set `jwks` to the URL of the keys.',
  )
}

/**
 * Returns where the metadata of an issuer may be, in the order of
 * basic/authorization/authorization-server-discovery: OAuth (RFC 8414), then OpenID Connect.
 */
export function toIssuerMetadataUrls(issuer: string): readonly string[] {
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

async function fetchJwksUrl(url: string, issuer: string): Promise<string> {
  const { issuer: actual, jwks_uri: jwksUrl } = await fetchJson(url)
  // RFC 8414, 3.3: metadata of another issuer must not be used
  if (actual !== issuer) {
    throw new Error(`${url} is the metadata of another issuer, ${JSON.stringify(actual)}.`)
  }
  if (typeof jwksUrl !== 'string') throw new Error(`${url} has no \`jwks_uri\`.`)
  return readSecureUrl(`\`jwks_uri\` in ${url}`, jwksUrl).href
}
