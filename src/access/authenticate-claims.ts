import type { JsonObject } from '../wire/json.ts'
import { isForAudience } from './audience.ts'
import type { Authenticated } from './authenticator.ts'
import { readCaller } from './claims-caller.ts'
import type { ScopeHierarchy } from './scopes.ts'

export interface ClaimsRules {
  /** What `aud` must name; this server's own URL where nothing is said. */
  readonly audience: string | readonly string[] | undefined
  readonly resource: string
  readonly scopes: ScopeHierarchy
}

/**
 * Decides by the claims of a proved token who calls, if the token was issued for this server at all
 * (basic/authorization/security-considerations, "Token Audience Binding and Validation").
 */
export function authenticateClaims(
  claims: JsonObject,
  { audience, resource, scopes }: ClaimsRules,
): Authenticated {
  const accepted = [audience ?? resource].flat()
  if (!isForAudience(claims['aud'], accepted)) {
    return { kind: 'refused', why: `The token is not for ${accepted.join(' or ')}.` }
  }
  const caller = readCaller(claims, scopes)
  return caller === null
    ? { kind: 'refused', why: 'The token does not say who it is for.' }
    : { kind: 'caller', caller }
}
