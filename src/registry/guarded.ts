import type { Visible } from '../define/visible.ts'

/** What the registry holds of an entry's visibility. */
export interface GuardedEntry {
  readonly scopes: readonly string[]
  readonly conceal: boolean
  readonly conditional: boolean
}

export function toGuarded(definition: Visible): GuardedEntry {
  const { scopes = [], conceal = false } = definition
  return { scopes, conceal, conditional: definition.visible !== undefined }
}
