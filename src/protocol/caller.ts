import type { JsonObject } from './json.ts'

/**
 * The authenticated sender of a request; an anonymous one is `null`. The token is not part of it: no
 * tool may read it or pass it on (basic/authorization/security-considerations).
 */
export interface Caller {
  /** The name by which the issuer of the credentials knows the caller. */
  readonly subject: string
  /** The issuer, within which the subject is unique; absent if only one is possible. */
  readonly issuer?: string
  /** The application that acts for the subject. */
  readonly client?: string
  /** The granted scopes and all that they imply, sorted. */
  readonly scopes: readonly string[]
  readonly claims: JsonObject
  /** When the credentials expire, in milliseconds since 1970. */
  readonly expires?: number
}

/** Whether a caller has all of these scopes; an anonymous caller has no scopes. */
export function hasScopes(
  caller: Pick<Caller, 'scopes'> | null,
  needed: readonly string[],
): boolean {
  return needed.every((scope) => caller?.scopes.includes(scope))
}
