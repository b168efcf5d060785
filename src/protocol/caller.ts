import type { JsonObject } from './json.ts'

/**
 * Who a request is from, once that has been proved. Nobody is `null`. The token itself is not here:
 * nothing past the door may see it or pass it on (basic/authorization/security-considerations).
 */
export interface Caller {
  /** The name that the issuer of the credentials knows the caller by. */
  readonly subject: string
  /** Who vouches for the subject, which is unique only there; absent where there is only one. */
  readonly issuer?: string
  /** The application that acts for the subject. */
  readonly client?: string
  /** What the caller may do, with all that this implies, sorted. */
  readonly scopes: readonly string[]
  /** What else the credentials say. */
  readonly claims: JsonObject
  /** Milliseconds since 1970 at which the credentials end. */
  readonly expires?: number
}

/** Tells whether a caller has every scope that is needed; nobody has none. */
export function hasScopes(
  caller: Pick<Caller, 'scopes'> | null,
  needed: readonly string[],
): boolean {
  return needed.every((scope) => caller?.scopes.includes(scope))
}
