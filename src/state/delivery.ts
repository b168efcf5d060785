import { hasScopes } from '../wire/caller.ts'
import { isJsonObject } from '../wire/json.ts'
import type { HubEvent } from './hub-event.ts'
import { isListKind, listKinds, type Listener, type ListKind } from './listener.ts'

/** What one listener is told at once: each change is in it once, however often it happened. */
export interface Delivery {
  readonly lists: readonly ListKind[]
  readonly uris: readonly string[]
}

/** Picks what a listener asked for and may see; `null` where that is nothing. */
export function toDelivery(listener: Listener, events: Iterable<HubEvent>): Delivery | null {
  const lists = new Set<ListKind>()
  const uris = new Set<string>()
  for (const event of events) {
    if (!hasScopes(listener, event.needs)) continue
    if (event.kind === 'list-changed') {
      if (listener.lists.includes(event.list)) lists.add(event.list)
    } else if (listener.uris.includes(event.uri)) {
      uris.add(event.uri)
    }
  }
  if (lists.size === 0 && uris.size === 0) return null
  return { lists: listKinds.filter((kind) => lists.has(kind)), uris: [...uris] }
}

/** Reads a delivery as it comes from the hub, whose code may be of another version. */
export function readDelivery(text: string): Delivery | null {
  const value: unknown = JSON.parse(text)
  if (!isJsonObject(value)) return null
  return { lists: readTexts(value['lists']).filter(isListKind), uris: readTexts(value['uris']) }
}

function readTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
