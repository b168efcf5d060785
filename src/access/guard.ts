import type { Caller } from '../wire/caller.ts'
import { logIncident, type OpenMask } from '../kit/incident.ts'
import type { Failure } from '../wire/failure.ts'
import type { Arrival, Authenticated, Authenticator } from './authenticator.ts'
import { toMetadata, toMetadataPaths, toMetadataUrl } from './metadata.ts'
import { toRefusal, toStepUp } from './refusal.ts'
import { toResourceUri } from './resource.ts'

export interface GuardOptions {
  readonly auth: Authenticator
  /** The path of the MCP endpoint, such as `/mcp`. */
  readonly endpoint: string
  /** The URL of the endpoint as clients type it; what a request was sent to unless said. */
  readonly resource?: string
  /** The scopes that a first sign-in is told to ask for. */
  readonly scopes: readonly string[]
  /** The server's name, for people. */
  readonly name: string
  /** For what is written to the log. */
  readonly openMask: OpenMask
}

/** Whether a request may go on, and as whom. */
export type Admission =
  | { readonly kind: 'admitted'; readonly caller: Caller | null }
  | { readonly kind: 'refused'; readonly failure: Failure }

/** Stands at the door of the endpoint. */
export interface Guard {
  /** Decides by the headers alone, before anything of the body is read. */
  readonly admit: (
    request: Request,
    env: Cloudflare.Env,
    ctx: ExecutionContext,
  ) => Promise<Admission>
  /** What a caller is told who lacks scopes that an operation needs: all of them at once. */
  readonly stepUp: (url: string, caller: Caller | null, needed: readonly string[]) => Failure
  /** The protected resource metadata, if it is served at this URL (RFC 9728). */
  readonly describe: (url: string) => object | null
}

/**
 * Makes the guard (basic/authorization).
 *
 * @throws {RangeError} when `resource` is not the URL of the endpoint: clients would look for its
 * metadata where nothing is.
 */
export function createGuard(options: GuardOptions): Guard {
  const { auth, endpoint, resource, scopes, name, openMask } = options
  if (resource !== undefined) checkResource(resource, endpoint)
  const paths = toMetadataPaths(endpoint)
  const toResource = (url: string): string => toResourceUri(resource, url, endpoint)
  const toAsked = (url: string) => {
    const resource = toResource(url)
    const hasIssuer = auth.authorizationServers(resource).length > 0
    return { scopes, metadataUrl: hasIssuer ? toMetadataUrl(resource) : null }
  }

  return {
    async admit({ headers, url }, env, ctx) {
      const arrival = { headers, url, env, ctx, resource: toResource(url) }
      const authenticated = await authenticate(auth, arrival)
      if (authenticated.kind === 'unknown') {
        const errorId = logIncident('authentication', authenticated.error, openMask(env))
        return { kind: 'refused', failure: { kind: 'authentication-unavailable', errorId } }
      }
      if (authenticated.kind === 'caller') {
        return { kind: 'admitted', caller: authenticated.caller }
      }
      if (authenticated.kind === 'anonymous' && auth.allowsAnonymous) {
        return { kind: 'admitted', caller: null }
      }
      return { kind: 'refused', failure: toRefusal(authenticated, toAsked(url)) }
    },
    stepUp(url, caller, needed) {
      return toStepUp(caller, { ...toAsked(url), scopes: needed })
    },
    describe(url) {
      if (!paths.includes(new URL(url).pathname)) return null
      const resource = toResource(url)
      const authorizationServers = auth.authorizationServers(resource)
      if (authorizationServers.length === 0) return null
      return toMetadata({ resource, authorizationServers, scopes, name })
    },
  }
}

/** Nobody can tell where an authenticator throws, which is never taken for a caller's fault. */
async function authenticate(
  auth: Authenticator,
  arrival: Arrival,
): Promise<Authenticated | { readonly kind: 'unknown'; readonly error: unknown }> {
  try {
    return await auth.authenticate(arrival)
  } catch (error) {
    return { kind: 'unknown', error }
  }
}

function checkResource(resource: string, endpoint: string): void {
  const path = URL.canParse(resource) ? new URL(resource).pathname : null
  const { search = '', hash = '' } = URL.canParse(resource) ? new URL(resource) : {}
  if (path === endpoint && search === '' && hash === '') return
  throw new RangeError(
    `\`resource\` is "${resource}". Give the whole URL of the endpoint, such as ` +
      `https://mcp.example.com${endpoint}: clients compare it with the URL that they were given.`,
  )
}
