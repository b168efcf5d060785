import type { AuthContext, Authenticator } from '../define/authenticator.ts'
import type { Caller } from '../protocol/caller.ts'
import { type JsonObject, isJsonObject } from '../protocol/json.ts'

/** A caller as your own code describes it: only `subject` is required. */
export type IdentifiedCaller = Pick<Caller, 'subject'> & Partial<Caller>

/** Returns who sent a request, or `null` if the request does not prove it. */
export type IdentifyCaller = (
  context: AuthContext,
) => IdentifiedCaller | null | Promise<IdentifiedCaller | null>

/**
 * Authenticates callers by your own code: by a client certificate, a signed header or a session. The
 * code must verify what it relies on. If it throws, the exception is logged and the request is answered
 * with 503.
 */
export function custom(identifyCaller: IdentifyCaller): Authenticator {
  return {
    allowsAnonymous: false,
    authorizationServers: () => [],
    async authenticate(context) {
      const identified = await identifyCaller(context)
      if (identified !== null) {
        const claims = toPlainJson(identified.claims)
        return { kind: 'caller', caller: { scopes: [], ...identified, claims } }
      }
      // a request with credentials is not anonymous
      return context.headers.has('Authorization')
        ? { kind: 'refused', why: 'This server does not accept the credentials.' }
        : { kind: 'anonymous' }
    },
  }
}

/** Round-trips the claims through JSON, so that code sees exactly what a cache key distinguishes. */
function toPlainJson(claims: JsonObject = {}): JsonObject {
  const plain: unknown = JSON.parse(JSON.stringify(claims))
  return isJsonObject(plain) ? plain : {}
}
