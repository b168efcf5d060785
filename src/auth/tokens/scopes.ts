import type { JsonObject } from '../../protocol/json.ts'

/** Which scopes a scope implies: `{ 'shop:admin': ['shop:write', 'shop:read'] }`. */
export type ScopeHierarchy = Readonly<Record<string, readonly string[]>>

/**
 * All that was granted and all that this implies, however far, sorted. "Servers MUST account for
 * scope hierarchies" (basic/authorization, "Step-Up Authorization Flow").
 */
export function expandScopes(
  granted: readonly string[],
  hierarchy: ScopeHierarchy,
): readonly string[] {
  const held = new Set(granted)
  // what is added to a set while it is walked is walked too, and nothing twice: circles end
  for (const scope of held) {
    // an own member: a token may hold a scope named `constructor`
    if (!Object.hasOwn(hierarchy, scope)) continue
    for (const implied of hierarchy[scope] ?? []) held.add(implied)
  }
  return [...held].toSorted()
}

/** The scopes in the claims of a token: `scope` (RFC 9068, 2.2.3), or `scp` as some issuers say. */
export function readScopes({ scope, scp }: JsonObject): readonly string[] {
  return [scope, scp].flatMap(toScopes)
}

function toScopes(claim: unknown): readonly string[] {
  if (typeof claim === 'string') return claim.split(' ').filter((scope) => scope !== '')
  return Array.isArray(claim) ? claim.filter((scope) => typeof scope === 'string') : []
}
