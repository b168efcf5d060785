import type { AuthResult } from '../../define/authenticator.ts'
import type { Caller } from '../../protocol/caller.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { type ScopeHierarchy, expandScopes, readScopes } from './scopes.ts'

interface ClaimsRules {
  readonly audience: string | readonly string[] | undefined
  readonly resource: string
  readonly scopes: ScopeHierarchy
}

/**
 * Converts the claims of a verified token to the result of authentication. A token that was issued for
 * another server is refused (basic/authorization/security-considerations, "Token Audience Binding and
 * Validation").
 */
export function toAuthResult(
  claims: JsonObject,
  { audience, resource, scopes }: ClaimsRules,
): AuthResult {
  const accepted = [audience ?? resource].flat()
  if (!includesAudience(claims['aud'], accepted)) {
    const why = `The audience (aud) of the token does not include ${accepted.join(' or ')}.`
    return { kind: 'refused', why }
  }
  const caller = readCaller(claims, scopes)
  return caller === null
    ? { kind: 'refused', why: 'The token has no subject (sub).' }
    : { kind: 'caller', caller }
}

/**
 * Reads the caller from the claims of a verified token (RFC 9068, 2.2; RFC 7662, 2.2). Returns `null`
 * without a subject: the client's id cannot replace it, as it may equal the subject of some user.
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

/**
 * Returns whether an `aud` claim includes one of the accepted audiences (RFC 7519, 4.1.3). URLs are
 * compared as URLs, so that `https://A.example` equals `https://a.example/` (basic/authorization,
 * "Canonical Server URI").
 */
export function includesAudience(aud: unknown, accepted: readonly string[]): boolean {
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud]
  return audiences.some((audience) => {
    if (typeof audience !== 'string') return false
    return accepted.some((one) => one === audience || normalize(one) === normalize(audience))
  })
}

function normalize(audience: string): string {
  return URL.canParse(audience) ? new URL(audience).href : audience
}
