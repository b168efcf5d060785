import type { Authenticator } from '../define/authenticator.ts'
import { isJsonObject, isTextList } from '../protocol/json.ts'
import { toCallerResult } from './request/guard.ts'
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
      const auth: unknown = Reflect.get(ctx, 'auth')
      // only the wrapper can set it: without the wrapper every request is anonymous
      if (auth === undefined) return { kind: 'anonymous' }
      // `null` and not absent: with the wrapper it is always there
      const { userId, clientId, scope = null, expiresAt } = isJsonObject(auth) ? auth : {}
      return toCallerResult({
        subject: userId,
        client: clientId,
        scopes: isTextList(scope) ? expandScopes(scope, scopes) : scope,
        claims: isJsonObject(ctx.props) ? ctx.props : {},
        expires: typeof expiresAt === 'number' ? expiresAt * 1000 : expiresAt,
      })
    },
  }
}
