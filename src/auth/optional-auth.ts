import type { Authenticator } from '../define/authenticator.ts'

/**
 * Lets requests without credentials in: `caller` is `null`, and they may use whatever needs no scope.
 * Invalid credentials are still refused, so that a client whose token has expired signs in again instead
 * of silently losing the tools that need a scope.
 */
export function optionalAuth(auth: Authenticator): Authenticator {
  return { ...auth, allowsAnonymous: true }
}
