import { toAskableScopes } from './challenge.ts'

const wellKnown = '/.well-known/oauth-protected-resource'

/** Where clients look for the metadata of an endpoint: with its path inserted, then at the root. */
export function toMetadataPaths(endpoint: string): readonly string[] {
  return endpoint === '/' ? [wellKnown] : [wellKnown + endpoint, wellKnown]
}

/** The URL at which the metadata of a resource is served (RFC 9728, 3.1). */
export function toMetadataUrl(resource: string): string {
  const { origin, pathname } = new URL(resource)
  return origin + wellKnown + (pathname === '/' ? '' : pathname)
}

interface ProtectedResource {
  readonly resource: string
  readonly authorizationServers: readonly string[]
  /** What a first sign-in asks for; the rest comes by step-up. */
  readonly scopes: readonly string[]
  /** For people. */
  readonly name: string
}

/** The metadata document (RFC 9728, 2; basic/authorization/authorization-server-discovery). */
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
 * The headers of the document, and of the preflight that a client's own headers cause. Any page may
 * read it, whatever `origins` says: it is public, and a browser client needs it before it can call.
 */
export const metadataHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET',
  'Access-Control-Allow-Headers': '*',
  'Cache-Control': 'public, max-age=3600',
  // Workers Cache, in front of a Worker, knows no hosts, and this document names the one it is for
  'Cloudflare-CDN-Cache-Control': 'no-store',
} as const
