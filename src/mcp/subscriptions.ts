import {
  type Delivery,
  type ListKind,
  type ListenerOwner,
  listKinds,
  maxListenerBytes,
  toListenerText,
} from '../objects/hub-listener.ts'
import type { Failure } from '../protocol/failure.ts'
import { isJsonObject } from '../protocol/json.ts'
import type { MessageStream, RequestId, ServerNotification } from '../protocol/message.ts'
import { metaKey } from '../protocol/meta.ts'
import { type Outcome, type StreamedResult, fail } from '../protocol/outcome.ts'
import type { HubConnection } from '../state/hub.ts'
import { toDigest } from '../util/digest.ts'
import type { Call } from './call.ts'
import { type Spellings, StreamAccess, findReadable } from './stream-access.ts'

/** Milliseconds of a stream whose credentials have expired but were accepted. */
const lastListenMs = 30_000

/**
 * Milliseconds after which a client must listen again, so that no stream outlives a client for
 * long.
 */
const maxListenMs = 3_600_000

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
  const { caller } = call
  const until = Math.min(Date.now() + maxListenMs, toEnd(caller?.expires))
  // the hub checks scopes for each event, and announces a deploy to listeners with another digest
  const listener = {
    lists: honoured.lists,
    uris: [...spellings.keys()],
    scopes: caller?.scopes ?? [],
    until,
    digest: registry.digest,
  }
  const bytes = toListenerText(listener).length
  if (bytes > maxListenerBytes) return fail(tooLarge(bytes))

  try {
    const owner = await toOwner(call)
    const connection = await call.state.hub().join(listener, owner)
    if (connection === null) return fail({ kind: 'too-many-listeners', most: owner.most })
    const { signal } = call
    signal.addEventListener('abort', () => connection.close())
    // the client may have disconnected while the hub was joined
    if (signal.aborted) connection.close()
    const words = createSubscription(call.id ?? '', spellings)
    const access = new StreamAccess(call, spellings)
    return { kind: 'stream', run: createListenStream(words, honoured, until, connection, access) }
  } catch (error) {
    const errorId = call.log.error('subscriptions/listen', error)
    return fail({ kind: 'failed', why: outOfReach(errorId) })
  }
}

/** The caller counts, or its address if it is anonymous, whatever its token is. */
async function toOwner({ callerDigest, countedAs, settings }: Call): Promise<ListenerOwner> {
  const digest = callerDigest ?? (await toDigest(['address', countedAs]))
  return { digest, most: settings.listenersPerCaller }
}

/** Returns when the stream must end because of the credentials. */
function toEnd(expires = Infinity, now = Date.now()): number {
  // clocks differ, so an expired token is accepted for some seconds: a stream that ended at once
  // would make its client loop until the token is refused
  return expires > now ? expires : now + lastListenMs
}

function tooLarge(bytes: number): Failure {
  return {
    kind: 'invalid-params',
    why: `These subscriptions take ${bytes} bytes, and one request may take ${maxListenerBytes}.`,
    advice: 'Divide them among several requests.',
  }
}

function outOfReach(errorId: string): string {
  return (
    'Change notifications are not available at the moment; other methods are not affected. ' +
    `Listen again in a minute. Error id: ${errorId}.`
  )
}

/** Unread bytes after which the stream of a slow client ends, so that no buffer grows without bound. */
const maxBacklog = 256 * 1024

/**
 * Creates the function that runs an open stream. It forwards the hub's deliveries until `until`
 * (milliseconds since 1970), until the hub or the client disconnects, or until the client reads too
 * slowly.
 */
function createListenStream(
  words: Subscription,
  honoured: SubscriptionFilter,
  until: number,
  connection: HubConnection,
  access: StreamAccess,
): (stream: MessageStream) => Promise<StreamedResult> {
  return async (stream) => {
    let reason = 'The server restarted its notifications. Listen again.'
    const end = (why: string): void => {
      reason = why
      connection.close()
    }
    const send = (notification: ServerNotification): void => {
      if (stream.backlog() <= maxBacklog) stream.send(notification)
      else end('The stream was read too slowly. Listen again.')
    }

    send(words.acknowledged(honoured))
    stream.signal.addEventListener('abort', () => connection.close())
    const timer = setTimeout(
      end,
      until - Date.now(),
      'This stream has reached its time limit. Listen again.',
    )
    const stopChecking = access.check(end)
    await connection.forward((delivery) => words.changes(access.toVisible(delivery)).forEach(send))
    stopChecking()
    clearTimeout(timer)

    // cancellation requires this notification, subscriptions the result: the client gets both
    stream.send(words.cancelled(reason))
    return words.end
  }
}

interface Subscription {
  readonly acknowledged: (honoured: SubscriptionFilter) => ServerNotification
  readonly changes: (delivery: Delivery) => readonly ServerNotification[]
  readonly cancelled: (reason: string) => ServerNotification
  /** The result, by which clients distinguish a regular end from a broken connection. */
  readonly end: StreamedResult
}

/**
 * Creates the messages of one subscription. Each has the id of its request, with its JSON type, by
 * which clients find the subscription (basic/patterns/subscriptions).
 */
function createSubscription(id: RequestId, spellings: Spellings): Subscription {
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
      // as the client wrote them, since it knows no other spelling
      ...uris
        .flatMap((key) => spellings.get(key) ?? [])
        .map((uri) => ({
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
