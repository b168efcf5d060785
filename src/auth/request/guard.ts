import type { AuthContext, AuthResult, Authenticator } from '../../define/authenticator.ts'
import type { Registry } from '../../define/registry.ts'
import type { Caller } from '../../protocol/caller.ts'
import type { Failure } from '../../protocol/failure.ts'
import type { WorkerLog } from '../../out/log.ts'
import { type Challenged, toAuthFailure, toStepUp } from './auth-failure.ts'
import { toMetadata, toMetadataPaths, toMetadataUrl, toResourceUri } from './resource-metadata.ts'

export interface GuardOptions {
  readonly auth: Authenticator
  /** The path of the MCP endpoint, such as `/mcp`. */
  readonly endpoint: string
  /** The URL of the endpoint as clients type it; by default what the request was sent to. */
  readonly resource?: string
  /** The scopes that a first sign-in is told to ask for. */
  readonly scopes: readonly string[]
  /** The server's name, for people. */
  readonly name: string
}

/** Whether a request may go on, and as whom. */
type Admission =
  | { readonly kind: 'admitted'; readonly caller: Caller | null }
  | { readonly kind: 'refused'; readonly failure: Failure }

/** Lets requests in (basic/authorization). */
export class Guard {
  readonly #options: GuardOptions
  readonly #metadataPaths: readonly string[]

  /**
   * @throws {RangeError} when `resource` is not the URL of the endpoint: clients would look for its
   * metadata where nothing is served.
   */
  constructor(options: GuardOptions) {
    const { resource, endpoint } = options
    if (resource !== undefined) checkResource(resource, endpoint)
    this.#options = options
    this.#metadataPaths = toMetadataPaths(endpoint)
  }

  /** Whether callers without credentials are let in. */
  get allowsAnonymous(): boolean {
    return this.#options.auth.allowsAnonymous
  }

  /** Decides by the headers alone, before anything of the body is read. */
  async admit(
    { headers, url }: Request,
    env: Cloudflare.Env,
    ctx: ExecutionContext,
    log: WorkerLog,
  ): Promise<Admission> {
    const { auth } = this.#options
    const resource = this.#toResource(url)
    const result = await authenticate(auth, { headers, url, env, ctx, resource, log })
    switch (result.kind) {
      case 'unknown': {
        const errorId = log.error('authentication', result.error)
        return { kind: 'refused', failure: { kind: 'authentication-unavailable', errorId } }
      }
      case 'caller':
        return { kind: 'admitted', caller: result.caller }
      case 'anonymous':
        if (auth.allowsAnonymous) return { kind: 'admitted', caller: null }
    }
    return { kind: 'refused', failure: toAuthFailure(result, this.#toChallenged(url)) }
  }

  /** What a caller is told who lacks scopes that an operation needs: all of them at once. */
  stepUp(url: string, caller: Caller | null, needed: readonly string[]): Failure {
    return toStepUp(caller, { ...this.#toChallenged(url), scopes: needed })
  }

  /** The protected resource metadata, if it is served at this URL (RFC 9728). */
  describe(url: string): object | null {
    if (!this.#metadataPaths.includes(new URL(url).pathname)) return null
    const { auth, scopes, name } = this.#options
    const resource = this.#toResource(url)
    const authorizationServers = auth.authorizationServers(resource)
    if (authorizationServers.length === 0) return null
    return toMetadata({ resource, authorizationServers, scopes, name })
  }

  #toResource(url: string): string {
    const { resource, endpoint } = this.#options
    return toResourceUri(resource, url, endpoint)
  }

  #toChallenged(url: string): Challenged {
    const { auth, scopes } = this.#options
    const resource = this.#toResource(url)
    const hasIssuer = auth.authorizationServers(resource).length > 0
    return { scopes, metadataUrl: hasIssuer ? toMetadataUrl(resource) : null }
  }
}

/** An authenticator that throws could not tell, which is never taken for a caller's fault. */
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
