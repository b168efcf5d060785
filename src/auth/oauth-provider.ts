import type { Authenticator } from '../define/authenticator.ts'
import type { Caller } from '../protocol/caller.ts'
import { isJsonObject } from '../protocol/json.ts'
import { type ScopeHierarchy, expandScopes } from './tokens/scopes.ts'

interface OAuthProviderOptions {
  /** Which scopes a scope implies. */
  readonly scopes?: ScopeHierarchy
}

/**
 * Callers come through @cloudflare/workers-oauth-provider, which wraps this Worker and is its own
 * authorization server. It has verified the token, and says whose it is in the execution context:
 * `ctx.auth`, beside what the sign-in page stored, `ctx.props`, which become the caller's claims.
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
  // only the wrapper can set these: without it there is nobody
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
