import type { ListKind } from './listener.ts'

/**
 * Something that listeners may want to know (basic/patterns/subscriptions). `needs` are the scopes
 * that a listener must have, all of them, to be told: what it may not see did not change for it.
 */
export type HubEvent =
  | { readonly kind: 'list-changed'; readonly list: ListKind; readonly needs: readonly string[] }
  | { readonly kind: 'resource-updated'; readonly uri: string; readonly needs: readonly string[] }
