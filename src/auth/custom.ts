import type { AuthContext, Authenticator } from '../define/authenticator.ts'
import type { Caller } from '../protocol/caller.ts'
import { toCallerResult } from './request/guard.ts'

/** A caller as your own code describes it: only `subject` is required. */
export type IdentifiedCaller = Pick<Caller, 'subject'> &
  Partial<Omit<Caller, 'scopes'>> & {
    /** A list, or one text with spaces between the scopes, as OAuth has it. */
    readonly scopes?: readonly string[] | string
  }

/** Returns who sent a request, or `null` if the request does not prove it. */
export type IdentifyCaller = (
  context: AuthContext,
) => IdentifiedCaller | null | Promise<IdentifiedCaller | null>

/**
 * Authenticates callers by your own code: by a client certificate, a signed header or a session. The
 * code must verify what it relies on. If it throws, or returns something that is neither a caller nor
 * `null`, the reason is logged and the request is answered with 503. It may ask another service, so it is
 * not run for an address of which too many requests were refused: these get 429.
 */
export function custom(identifyCaller: IdentifyCaller): Authenticator {
  return {
    allowsAnonymous: false,
    authorizationServers: () => [],
    authenticate: (context) =>
      context.refusals.ask(context, async () => {
        const identified = await identifyCaller(context)
        if (identified !== null) return toCallerResult(identified)
        // a request with credentials is not anonymous
        return context.headers.has('Authorization')
          ? { kind: 'refused', why: 'This server does not accept the credentials.' }
          : { kind: 'anonymous' }
      }),
  }
}
