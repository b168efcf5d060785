import type { AuthContext, AuthResult, Authenticator } from '../../define/authenticator.ts'
import type { Registry } from '../../define/registry.ts'
import type { Caller } from '../../protocol/caller.ts'
import type { Failure } from '../../protocol/failure.ts'
import type { OpenLog } from '../../out/log.ts'
import { type Challenge, toChallenge } from './challenge.ts'
import { toMetadata, toMetadataPaths, toMetadataUrl, toResourceUri } from './resource-metadata.ts'

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
  readonly openLog: OpenLog
}

/** Whether a request may go on, and as whom. */
type Admission =
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
  const { auth, endpoint, resource, scopes, name, openLog } = options
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
      const log = openLog(env)
      const context = { headers, url, env, ctx, resource: toResource(url), log }
      const authenticated = await authenticate(auth, context)
      if (authenticated.kind === 'unknown') {
        const errorId = log.error('authentication', authenticated.error)
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
  context: AuthContext,
): Promise<AuthResult | { readonly kind: 'unknown'; readonly error: unknown }> {
  try {
    return await auth.authenticate(context)
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

/** What a challenge asks for. */
type Asked = Pick<Challenge, 'scopes' | 'metadataUrl'>

/** What is told to a request that is not let in (basic/authorization, "Error Handling"). */
function toRefusal(authenticated: Exclude<AuthResult, { kind: 'caller' }>, asked: Asked): Failure {
  switch (authenticated.kind) {
    case 'anonymous':
      return toUnauthorized(asked)
    case 'malformed': {
      const why = 'The Authorization header is not `Bearer` and one token.'
      const challenge = toChallenge({ ...asked, error: 'invalid_request', description: why })
      return { kind: 'malformed-credentials', why, challenge }
    }
    case 'refused': {
      const { why } = authenticated
      const challenge = toChallenge({ ...asked, error: 'invalid_token', description: why })
      return { kind: 'unauthorized', why: `${why} ${toAdvice(asked)}`, challenge }
    }
  }
}

/**
 * What is told to a caller who lacks scopes that an operation needs. Nobody in particular has to
 * sign in first, and is asked for the same scopes then.
 */
function toStepUp(caller: Caller | null, asked: Asked): Failure {
  if (caller === null) return toUnauthorized(asked)
  const description = 'The token does not allow this.'
  const challenge = toChallenge({ ...asked, error: 'insufficient_scope', description })
  return { kind: 'insufficient-scope', needed: asked.scopes, challenge }
}

// without an error code: there is nothing yet that could be wrong (RFC 6750, 3.1)
function toUnauthorized(asked: Asked): Failure {
  const why = `The request does not say who it is from. ${toAdvice(asked)}`
  return { kind: 'unauthorized', why, challenge: toChallenge(asked) }
}

function toAdvice({ metadataUrl }: Asked): string {
  return metadataUrl === null
    ? 'Bring the credentials that the owner of this server gave you.'
    : `Get a token as ${metadataUrl} says, and send it as \`Authorization: Bearer <token>\`.`
}

/**
 * The scopes that a first sign-in is told to ask for: what it takes to read, or all there are where
 * nothing that reads needs any. The rest is asked for once it is needed (basic/authorization, "Scope
 * Selection Strategy", "Step-Up Authorization Flow"). What is concealed is not told of here either.
 */
export function toFirstScopes({
  tools,
  resources,
  prompts,
}: Pick<Registry, 'tools' | 'resources' | 'prompts'>): readonly string[] {
  const reading = toScopes([...tools.filter(({ readOnly }) => readOnly), ...resources, ...prompts])
  return reading.length > 0 ? reading : toScopes(tools)
}

function toScopes(
  entries: readonly { readonly scopes: readonly string[]; readonly conceal: boolean }[],
): readonly string[] {
  const open = entries.filter(({ conceal }) => !conceal)
  return [...new Set(open.flatMap(({ scopes }) => scopes))].toSorted()
}
