import type { Caller } from '../wire/caller.ts'
import type { JsonObject } from '../wire/json.ts'
import { expandScopes, readScopes, type ScopeHierarchy } from './scopes.ts'

/**
 * Reads the caller from the claims of a token that has been proved (RFC 9068, 2.2; RFC 7662, 2.2),
 * or `null` without a subject: a client's id is no substitute, as it could be some user's subject.
 */
export function readCaller(claims: JsonObject, hierarchy: ScopeHierarchy): Caller | null {
  const { sub, iss, client_id: clientId, azp, exp } = claims
  if (!isText(sub)) return null
  const client = [clientId, azp].find(isText)
  return {
    subject: sub,
    ...(isText(iss) && { issuer: iss }),
    ...(client !== undefined && { client }),
    scopes: expandScopes(readScopes(claims), hierarchy),
    claims,
    ...(typeof exp === 'number' && { expires: exp * 1000 }),
  }
}

function isText(claim: unknown): claim is string {
  return typeof claim === 'string' && claim !== ''
}
