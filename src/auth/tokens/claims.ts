import type { Authenticated } from '../../define/authenticator.ts'
import type { Caller } from '../../protocol/caller.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { type ScopeHierarchy, expandScopes, readScopes } from './scopes.ts'

interface ClaimsRules {
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

/**
 * Tells whether an `aud` claim names one of the accepted audiences (RFC 7519, 4.1.3). URLs that are
 * the same to a browser are the same here: `https://A.example` is `https://a.example/`
 * (basic/authorization, "Canonical Server URI").
 */
export function isForAudience(aud: unknown, accepted: readonly string[]): boolean {
  const named: readonly unknown[] = Array.isArray(aud) ? aud : [aud]
  return named.some((audience) => {
    if (typeof audience !== 'string') return false
    return accepted.some((one) => one === audience || normalize(one) === normalize(audience))
  })
}

function normalize(audience: string): string {
  return URL.canParse(audience) ? new URL(audience).href : audience
}
