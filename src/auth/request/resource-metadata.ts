import { toAskableScopes } from './challenge.ts'

const wellKnown = '/.well-known/oauth-protected-resource'

/** Returns the paths of an endpoint's metadata: with the endpoint's path inserted, and at the root. */
export function toMetadataPaths(endpoint: string): readonly string[] {
  return endpoint === '/' ? [wellKnown] : [wellKnown + endpoint, wellKnown]
}

/** Returns the URL of a resource's metadata (RFC 9728, 3.1). */
export function toMetadataUrl(resource: string): string {
  const { origin, pathname } = new URL(resource)
  return origin + wellKnown + (pathname === '/' ? '' : pathname)
}

/**
 * Checks that `resource` is the URL of the endpoint: clients would look for its metadata elsewhere.
 *
 * @throws {RangeError} that shows what to write.
 */
export function checkResource(resource: string, endpoint: string): void {
  const path = URL.canParse(resource) ? new URL(resource).pathname : null
  const { search = '', hash = '' } = URL.canParse(resource) ? new URL(resource) : {}
  if (path === endpoint && search === '' && hash === '') return
  throw new RangeError(
    `\`resource\` is "${resource}". Write the whole URL of the endpoint, such as ` +
      `https://mcp.example.com${endpoint}: clients compare it with the URL that they use.`,
  )
}

interface ProtectedResource {
  readonly resource: string
  readonly authorizationServers: readonly string[]
  readonly scopes: readonly string[]
  readonly name: string
}

/** Returns the metadata document (RFC 9728, 2; basic/authorization/authorization-server-discovery). */
export function toMetadata(described: ProtectedResource): object {
  const scopes = toAskableScopes(described.scopes)
  return {
    resource: described.resource,
    resource_name: described.name,
    authorization_servers: described.authorizationServers,
    ...(scopes.length > 0 && { scopes_supported: scopes }),
    bearer_methods_supported: ['header'],
  }
}

/**
 * The headers of the document and of its preflight. Pages of every origin may read it: it is
 * public, and a browser client needs it before its first call.
 */
export const metadataHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET',
  'Access-Control-Allow-Headers': '*',
  'Cache-Control': 'public, max-age=3600',
  // Workers Cache ignores hosts, and this document contains the host
  'Cloudflare-CDN-Cache-Control': 'no-store',
} as const
