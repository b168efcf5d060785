import { listKinds, type ListKind } from '../state/listener.ts'
import { isJsonObject } from '../wire/json.ts'

/** What a client asks to be told of (basic/patterns/subscriptions, "Notification Filter"). */
export interface SubscriptionFilter {
  readonly lists: readonly ListKind[]
  /** Each once, in the client's order. */
  readonly uris: readonly string[]
}

export type FilterRead =
  | { readonly ok: true; readonly filter: SubscriptionFilter }
  | { readonly ok: false; readonly why: string }

const maxUris = 100

/** Reads `params.notifications`. Keys that are not known are ignored, as later revisions add some. */
export function readFilter(notifications: unknown): FilterRead {
  if (!isJsonObject(notifications)) {
    return refuse('params.notifications must be an object that says what to listen for.')
  }
  const unclear = listKinds.find((kind) => !isFlag(notifications[flagOf(kind)]))
  if (unclear !== undefined) {
    return refuse(`params.notifications.${flagOf(unclear)} must be true or false.`)
  }
  const uris: unknown = notifications['resourceSubscriptions'] ?? []
  if (!Array.isArray(uris) || !uris.every((uri) => typeof uri === 'string')) {
    return refuse('params.notifications.resourceSubscriptions must be an array of URIs.')
  }
  if (uris.length > maxUris) {
    return refuse(
      `params.notifications.resourceSubscriptions has ${uris.length} URIs. ` +
        `Listen for at most ${maxUris} in one request, and for the rest in another.`,
    )
  }
  const lists = listKinds.filter((kind) => notifications[flagOf(kind)] === true)
  return { ok: true, filter: { lists, uris: [...new Set(uris)] } }
}

/** Prints a filter as the acknowledgement wants it: what is not honoured is not there. */
export function toWireFilter({ lists, uris }: SubscriptionFilter): object {
  return {
    ...Object.fromEntries(lists.map((kind) => [flagOf(kind), true])),
    ...(uris.length > 0 && { resourceSubscriptions: uris }),
  }
}

function flagOf(kind: ListKind): string {
  return `${kind}ListChanged`
}

function isFlag(value: unknown): boolean {
  return value === undefined || typeof value === 'boolean'
}

function refuse(why: string): FilterRead {
  return { ok: false, why }
}
