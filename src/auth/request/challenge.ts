/** What a `WWW-Authenticate` header says. */
export interface Challenge {
  readonly error?: 'invalid_request' | 'invalid_token' | 'insufficient_scope'
  readonly description?: string
  /** All the scopes that the operation needs, in one challenge. */
  readonly scopes: readonly string[]
  /** The URL of the protected resource metadata, where there is any. */
  readonly metadataUrl: string | null
}

/** Prints a `WWW-Authenticate` header (RFC 6750, 3; RFC 9728, 5.1). */
export function toChallenge({ error, description, scopes, metadataUrl }: Challenge): string {
  const parameters: readonly (readonly [string, string])[] = [
    ['error', error ?? ''],
    ['error_description', description ?? ''],
    ['scope', toAskableScopes(scopes).join(' ')],
    ['resource_metadata', metadataUrl ?? ''],
  ]
  const said = parameters
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}="${toQuotable(value)}"`)
  return said.length === 0 ? 'Bearer' : `Bearer ${said.join(', ')}`
}

// RFC 6750 allows neither quotes nor backslashes in these, escaped or not; a line break would end
// the header
function toQuotable(value: string): string {
  return value.replaceAll('"', "'").replaceAll(/[^\x20-\x7e]|\\/g, '?')
}

const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]+$/

/**
 * The scopes that a client may be told to ask for: each once, spelt as RFC 6749, 3.3 allows.
 * `offline_access` is between the client and its authorization server, and never named here
 * (basic/authorization, "Refresh Tokens").
 */
export function toAskableScopes(scopes: readonly string[]): readonly string[] {
  return [...new Set(scopes)].filter(
    (scope) => scope !== 'offline_access' && scopeToken.test(scope),
  )
}
