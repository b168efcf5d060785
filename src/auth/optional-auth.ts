import type { Authenticator } from '../define/authenticator.ts'

/**
 * Lets requests without credentials in: `caller` is `null`, and they may use whatever needs no scope.
 * Invalid credentials are still refused, so that a client whose token has expired signs in again instead
 * of silently losing the tools that need a scope.
 */
export function optionalAuth(auth: Authenticator): Authenticator {
  return {
    allowsAnonymous: true,
    // not a copy of the members: an authenticator may be an instance of a class
    authenticate: (context) => auth.authenticate(context),
    authorizationServers: (resource) => auth.authorizationServers(resource),
  }
}
