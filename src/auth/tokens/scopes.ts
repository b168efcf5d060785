import { type JsonObject, isTextList } from '../../protocol/json.ts'

/** The scopes that each scope implies: `{ 'shop:admin': ['shop:write', 'shop:read'] }`. */
export type ScopeHierarchy = Readonly<Record<string, readonly string[]>>

/**
 * Returns the granted scopes with all that they imply, directly or indirectly, sorted. "Servers MUST
 * account for scope hierarchies" (basic/authorization, "Step-Up Authorization Flow").
 */
export function expandScopes(
  granted: readonly string[],
  hierarchy: ScopeHierarchy,
): readonly string[] {
  const held = new Set(granted)
  // the loop also visits what is added to the set meanwhile, each scope once: circles end
  for (const scope of held) {
    // own members only: a token may hold a scope named `constructor`
    if (!Object.hasOwn(hierarchy, scope)) continue
    for (const implied of hierarchy[scope] ?? []) held.add(implied)
  }
  return [...held].toSorted()
}

/**
 * Reads the scopes of a token: `scope` (RFC 9068, 2.2.3), or `scp`, which some issuers use. Returns
 * `null` if one of them is neither a text nor a list of texts; some servers write `null` for no scopes.
 */
export function readScopes({ scope, scp }: JsonObject): readonly string[] | null {
  const claims = [scope ?? '', scp ?? '']
  const read = claims.map((claim) => (typeof claim === 'string' ? claim.split(' ') : claim))
  return read.every(isTextList) ? read.flat().filter((scope) => scope !== '') : null
}
