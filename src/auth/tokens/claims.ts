import type { AuthResult } from '../../define/authenticator.ts'
import type { Caller } from '../../protocol/caller.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { isName, readCaller } from '../request/guard.ts'
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
  const caller = readClaims(claims, scopes)
  return typeof caller === 'string' ? { kind: 'refused', why: caller } : { kind: 'caller', caller }
}

/**
 * Reads the caller from the claims of a verified token (RFC 9068, 2.2; RFC 7662, 2.2); returns what is
 * wrong with them, as a sentence. The client's id cannot replace a missing subject, as it may equal the
 * subject of some user.
 */
export function readClaims(claims: JsonObject, hierarchy: ScopeHierarchy): Caller | string {
  const { sub, iss, client_id: clientId, azp, exp } = claims
  if (!isName(sub)) return 'The token has no subject (sub).'
  // an issuer that was left out could be taken for another one
  if (!isName(iss ?? 'none')) return 'The issuer (iss) of the token is not a text.'
  const granted = readScopes(claims)
  if (granted === null)
    return 'The scopes (scope) of the token are neither a text nor a list of texts.'
  // some servers write null for what a token does not have
  const expires = typeof exp === 'number' ? exp * 1000 : (exp ?? undefined)
  if (expires !== undefined && !Number.isFinite(expires)) {
    return 'The expiry (exp) of the token is not a number.'
  }
  return readCaller(
    {
      subject: sub,
      issuer: isName(iss) ? iss : undefined,
      client: [clientId, azp].find(isName),
      scopes: expandScopes(granted, hierarchy),
      claims,
      expires,
    },
    // they have been parsed from JSON
    (claims) => claims,
  )
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
