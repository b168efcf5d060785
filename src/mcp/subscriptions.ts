import { type ListKind, listKinds } from '../objects/hub-listener.ts'
import { type JsonObject, isJsonObject } from '../protocol/json.ts'
import type { MessageStream, RequestId, ServerNotification } from '../protocol/message.ts'
import { metaKey } from '../protocol/meta.ts'
import { type Outcome, type StreamedResult, fail } from '../protocol/outcome.ts'
import type { Call } from './call.ts'
import { type HubStream, forwardDeliveries, joinHub } from './hub-stream.ts'
import { StreamAccess, findReadable } from './stream-access.ts'

/**
 * `subscriptions/listen` (basic/patterns/subscriptions). It joins the hub before the stream opens:
 * everything that is acknowledged can then be delivered, and a failure can still be an error.
 */
export async function listen(call: Call): Promise<Outcome> {
  // a Worker without a hub does not advertise notifications
  if (!call.state.hasHub) return fail({ kind: 'unknown-method', method: call.method })
  // before the hub is joined: without its stream nothing would ever leave the hub again
  if (!call.accepted.allowsStream) {
    return fail({ kind: 'not-acceptable', accept: call.headers.get('Accept') ?? '' })
  }
  const read = readFilter(call.params['notifications'])
  if (!read.ok) return fail({ kind: 'invalid-params', why: read.why })
  const { registry } = call.settings
  const spellings = await findReadable(read.filter.uris, call)
  const honoured: SubscriptionFilter = {
    lists: read.filter.lists.filter((kind) => registry[kind].length > 0),
    uris: [...spellings.values()].flat(),
  }
  const joined = await joinHub(call, { lists: honoured.lists, uris: [...spellings.keys()] })
  if (joined.kind === 'failure') return joined
  const words = createSubscription(call.id ?? '')
  const access = new StreamAccess(call, spellings)
  return { kind: 'stream', run: createListenStream(words, honoured, joined, access) }
}

/** Creates the function that runs an open stream. */
function createListenStream(
  words: Subscription,
  honoured: SubscriptionFilter,
  joined: HubStream,
  access: StreamAccess,
): (stream: MessageStream) => Promise<StreamedResult> {
  return async (stream) => {
    stream.send(words.acknowledged(honoured))
    const { reason } = await forwardDeliveries(stream, joined, access, (delivery, send) =>
      access.toNotifications(delivery, words.meta).forEach(send),
    )
    // cancellation requires this notification, subscriptions the result: the client gets both
    stream.send(words.cancelled(reason))
    return words.end
  }
}

interface Subscription {
  readonly acknowledged: (honoured: SubscriptionFilter) => ServerNotification
  /** The `_meta` of each notification. */
  readonly meta: JsonObject
  readonly cancelled: (reason: string) => ServerNotification
  /** The result, by which clients distinguish a regular end from a broken connection. */
  readonly end: StreamedResult
}

/**
 * Creates the messages of one subscription. Each has the id of its request, with its JSON type, by
 * which clients find the subscription (basic/patterns/subscriptions).
 */
function createSubscription(id: RequestId): Subscription {
  const meta = { [metaKey.subscriptionId]: id }
  return {
    acknowledged: (honoured) => ({
      method: 'notifications/subscriptions/acknowledged',
      params: { _meta: meta, notifications: toWireFilter(honoured) },
    }),
    meta,
    cancelled: (reason) => ({
      method: 'notifications/cancelled',
      params: { _meta: meta, requestId: id, reason },
    }),
    end: { members: '', meta: JSON.stringify(meta).slice(1, -1) },
  }
}

/** The changes that a client subscribes to (basic/patterns/subscriptions, "Notification Filter"). */
interface SubscriptionFilter {
  readonly lists: readonly ListKind[]
  /** Without duplicates, in the client's order. */
  readonly uris: readonly string[]
}

type FilterRead =
  | { readonly ok: true; readonly filter: SubscriptionFilter }
  | { readonly ok: false; readonly why: string }

const maxUris = 100

/** Reads `params.notifications`. Unknown keys are ignored, because later revisions may add some. */
function readFilter(notifications: unknown): FilterRead {
  if (!isJsonObject(notifications)) {
    return refuse('params.notifications must be an object that says what to listen for.')
  }
  const unclear = listKinds.find((kind) => !isFlag(notifications[flagOf(kind)]))
  if (unclear !== undefined) {
    return refuse(`params.notifications.${flagOf(unclear)} must be true or false.`)
  }
  // absent, but not null
  const { resourceSubscriptions: uris = [] } = notifications
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

/**
 * Converts a filter to its form in the acknowledgement, without the subscriptions that are not
 * honoured.
 */
function toWireFilter({ lists, uris }: SubscriptionFilter): object {
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
