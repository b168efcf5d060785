import type { Authenticator } from '../define/authenticator.ts'

/**
 * Lets requests without credentials in as nobody: they see and may call what needs no scope.
 * Credentials that are not good are refused all the same, so that a client whose token has expired
 * signs in again instead of losing half of the tools.
 */
export function optional(auth: Authenticator): Authenticator {
  return { ...auth, allowsAnonymous: true }
}
