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
