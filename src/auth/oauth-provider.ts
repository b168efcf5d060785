import type { Authenticator } from '../define/authenticator.ts'
import type { Caller } from '../protocol/caller.ts'
import { isJsonObject } from '../protocol/json.ts'
import { type ScopeHierarchy, expandScopes } from './tokens/scopes.ts'

export interface OAuthProviderOptions {
  readonly scopes?: ScopeHierarchy
}

/**
 * Authenticates callers of a Worker that is wrapped by @cloudflare/workers-oauth-provider, and so is its
 * own authorization server. The wrapper has verified the token, and puts its owner into `ctx.auth`, and
 * into `ctx.props` what the sign-in page stored, which becomes the claims of the caller.
 */
export function oauthProvider({ scopes = {} }: OAuthProviderOptions = {}): Authenticator {
  return {
    allowsAnonymous: false,
    authorizationServers: (resource) => [new URL(resource).origin],
    async authenticate({ ctx }) {
      const caller = readContext(Reflect.get(ctx, 'auth'), ctx.props, scopes)
      return caller === null ? { kind: 'anonymous' } : { kind: 'caller', caller }
    },
  }
}

function readContext(auth: unknown, props: unknown, hierarchy: ScopeHierarchy): Caller | null {
  // only the wrapper can set these: without it every request is anonymous
  if (!isJsonObject(auth)) return null
  const { userId, clientId, scope, expiresAt } = auth
  if (typeof userId !== 'string' || !Array.isArray(scope)) return null
  const granted = scope.filter((entry) => typeof entry === 'string')
  return {
    subject: userId,
    ...(typeof clientId === 'string' && { client: clientId }),
    scopes: expandScopes(granted, hierarchy),
    claims: isJsonObject(props) ? props : {},
    ...(typeof expiresAt === 'number' && { expires: expiresAt * 1000 }),
  }
}
