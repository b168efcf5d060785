import {
  type Delivery,
  type ListKind,
  listKinds,
  maxListenerBytes,
  toListenerText,
} from '../objects/hub-listener.ts'
import type { Exchange } from '../protocol/exchange.ts'
import { isJsonObject } from '../protocol/json.ts'
import type {
  MessageStream,
  RequestId,
  RequestMessage,
  ServerNotification,
} from '../protocol/message.ts'
import { metaKey } from '../protocol/meta.ts'
import {
  type Outcome,
  type StreamedOutcome,
  type StreamedResult,
  fail,
} from '../protocol/outcome.ts'
import type { HubClient, HubConnection } from '../state/hub.ts'
import { logIncident } from '../out/log.ts'

/** How long a stream lasts for credentials that were accepted though they have ended. */
const lastListenMs = 30_000

/** Who listens, as far as the hub has to know. */
interface ListenerRights {
  /** An event that needs a scope reaches only those who have it. */
  readonly scopes: readonly string[]
  /** Milliseconds since 1970 at which the caller's credentials end. */
  readonly expires?: number
}

export interface ListenSettings {
  readonly hub: (exchange: Exchange) => Pick<HubClient, 'join'>
  /** The lists that this server has. */
  readonly lists: readonly ListKind[]
  /** Whether a resource exists for the caller, so that an update of it could ever be told. */
  readonly canSee: (uri: string, exchange: Exchange) => Promise<boolean>
  readonly rightsOf: (exchange: Exchange) => ListenerRights
  /** The registry's digest: a listener that brings a new one announces it. */
  readonly digest: string
  /** Milliseconds after which a stream ends and its client listens anew. */
  readonly maxAge: number
}

/**
 * Makes `subscriptions/listen` (basic/patterns/subscriptions). The hub is joined before the stream
 * opens: what is acknowledged can then be delivered, and a failure can still be an error.
 */
export function createListen(
  settings: ListenSettings,
): (message: RequestMessage, exchange: Exchange) => Promise<Outcome | StreamedOutcome> {
  return async ({ id, params }, exchange) => {
    const read = readFilter(params['notifications'])
    if (!read.ok) return fail({ kind: 'invalid-params', why: read.why })
    const honoured: SubscriptionFilter = {
      lists: read.filter.lists.filter((kind) => settings.lists.includes(kind)),
      uris: await filterSeen(read.filter.uris, (uri) => settings.canSee(uri, exchange)),
    }

    const { scopes, expires } = settings.rightsOf(exchange)
    const until = Math.min(Date.now() + settings.maxAge, toEnd(expires))
    const listener = { ...honoured, scopes, until, digest: settings.digest }
    const bytes = toListenerText(listener).length
    if (bytes > maxListenerBytes) return fail({ kind: 'invalid-params', why: tooLarge(bytes) })

    try {
      const connection = await settings.hub(exchange).join(listener)
      // should the client go before its stream opens
      exchange.signal.addEventListener('abort', () => connection.close())
      return { kind: 'stream', run: createListenStream(id, honoured, until, connection) }
    } catch (error) {
      return fail({
        kind: 'failed',
        why: outOfReach(logIncident('subscriptions/listen', error, exchange.mask)),
      })
    }
  }
}

/** When the credentials end, if they do. */
function toEnd(expires = Infinity, now = Date.now()): number {
  // a token is accepted a little longer, as clocks differ: ended at once, a client that listens again
  // at once would go round and round until it is refused
  return expires > now ? expires : now + lastListenMs
}

async function filterSeen(
  uris: readonly string[],
  canSee: (uri: string) => Promise<boolean>,
): Promise<readonly string[]> {
  const seen = await Promise.all(uris.map(canSee))
  return uris.filter((_, index) => seen[index])
}

function tooLarge(bytes: number): string {
  return (
    `These subscriptions take ${bytes} bytes, and one request may take ${maxListenerBytes}. ` +
    'Share them out among several requests.'
  )
}

function outOfReach(errorId: string): string {
  return (
    'Change notifications are out of reach at the moment; other methods are not affected. ' +
    `Listen again in a minute. Error id: ${errorId}.`
  )
}

/** Bytes that may wait for a slow reader before its stream ends: nothing grows without bound. */
const maxBacklog = 256 * 1024

/**
 * Makes what runs an open listen stream: it forwards what the hub tells until `until` (milliseconds
 * since 1970), until the hub or the client goes, or until the client has fallen too far behind.
 */
function createListenStream(
  id: RequestId,
  honoured: SubscriptionFilter,
  until: number,
  connection: HubConnection,
): (stream: MessageStream) => Promise<StreamedResult> {
  const words = createSubscription(id)
  return async (stream) => {
    let reason = 'The server restarted its notifications. Listen again.'
    const end = (why: string): void => {
      reason = why
      connection.close()
    }
    const send = (notification: ServerNotification): void => {
      if (stream.backlog() <= maxBacklog) stream.send(notification)
      else end('The stream was not read as fast as it was written. Listen again.')
    }

    send(words.acknowledged(honoured))
    stream.signal.addEventListener('abort', () => connection.close())
    const timer = setTimeout(
      end,
      until - Date.now(),
      'The time of this stream is over. Listen again.',
    )
    await connection.forward((delivery) => words.changes(delivery).forEach(send))
    clearTimeout(timer)

    // cancellation wants this notification, subscriptions wants the result: a client gets both
    stream.send(words.cancelled(reason))
    return words.end
  }
}

/** Everything that a listen stream says, in the words of the wire and under its subscription's id. */
interface Subscription {
  readonly acknowledged: (honoured: SubscriptionFilter) => ServerNotification
  readonly changes: (delivery: Delivery) => readonly ServerNotification[]
  readonly cancelled: (reason: string) => ServerNotification
  /** The result that tells a graceful end from a broken connection. */
  readonly end: StreamedResult
}

/**
 * Makes the words of one subscription. All of them carry the id of its request, of the same JSON
 * type, as clients tell their subscriptions apart by it (basic/patterns/subscriptions).
 */
function createSubscription(id: RequestId): Subscription {
  const meta = { [metaKey.subscriptionId]: id }
  return {
    acknowledged: (honoured) => ({
      method: 'notifications/subscriptions/acknowledged',
      params: { _meta: meta, notifications: toWireFilter(honoured) },
    }),
    changes: ({ lists, uris }) => [
      ...lists.map((kind) => ({
        method: `notifications/${kind}/list_changed`,
        params: { _meta: meta },
      })),
      ...uris.map((uri) => ({
        method: 'notifications/resources/updated',
        params: { _meta: meta, uri },
      })),
    ],
    cancelled: (reason) => ({
      method: 'notifications/cancelled',
      params: { _meta: meta, requestId: id, reason },
    }),
    end: { members: '', meta: JSON.stringify(meta).slice(1, -1) },
  }
}

/** What a client asks to be told of (basic/patterns/subscriptions, "Notification Filter"). */
interface SubscriptionFilter {
  readonly lists: readonly ListKind[]
  /** Each once, in the client's order. */
  readonly uris: readonly string[]
}

type FilterRead =
  | { readonly ok: true; readonly filter: SubscriptionFilter }
  | { readonly ok: false; readonly why: string }

const maxUris = 100

/** Reads `params.notifications`. Keys that are not known are ignored, as later revisions add some. */
function readFilter(notifications: unknown): FilterRead {
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
