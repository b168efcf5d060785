import {
  type Delivery,
  type ListKind,
  type ListenerOwner,
  listKinds,
  maxListenerBytes,
  toListenerText,
} from '../objects/hub-listener.ts'
import { hasScopes } from '../protocol/caller.ts'
import type { Failure } from '../protocol/failure.ts'
import { isJsonObject } from '../protocol/json.ts'
import type { MessageStream, RequestId, ServerNotification } from '../protocol/message.ts'
import { metaKey } from '../protocol/meta.ts'
import { type Outcome, type StreamedResult, fail } from '../protocol/outcome.ts'
import type { HubConnection } from '../state/hub.ts'
import { toDigest } from '../util/digest.ts'
import type { Call } from './call.ts'
import { toVisibility } from './visibility.ts'

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
  const honoured: SubscriptionFilter = {
    lists: read.filter.lists.filter((kind) => registry[kind].length > 0),
    uris: await filterReadable(read.filter.uris, call),
  }
  const { caller } = call
  const until = Math.min(Date.now() + maxListenMs, toEnd(caller?.expires))
  // the hub checks scopes for each event, and announces a deploy to listeners with another digest
  const listener = { ...honoured, scopes: caller?.scopes ?? [], until, digest: registry.digest }
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
    const id = call.id ?? ''
    const access = new StreamAccess(call, honoured.uris)
    return { kind: 'stream', run: createListenStream(id, honoured, until, connection, access) }
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

/** Returns the URIs of resources that the caller can see. No other update may be sent. */
async function filterReadable(uris: readonly string[], call: Call): Promise<readonly string[]> {
  const isReadable = await Promise.all(
    uris.map(async (uri) => {
      const found = call.settings.entries.findResource(uri)
      return found !== null && (await toVisibility(found.entry, call)) === 'visible'
    }),
  )
  return uris.filter((_, index) => isReadable[index])
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
  id: RequestId,
  honoured: SubscriptionFilter,
  until: number,
  connection: HubConnection,
  access: StreamAccess,
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

/** Milliseconds after which the access of an open stream is checked again, at the latest. */
const checkMs = 60_000

/** How long a stream goes on while its credentials cannot be checked. */
const maxUncheckedMs = 300_000

/**
 * What the caller of an open stream may see. A stream outlives the check of its request, so it is
 * repeated with the same request: a token can be revoked or lose a scope, a resource can be hidden.
 */
class StreamAccess {
  readonly #call: Call
  readonly #uris: readonly string[]
  #visible: ReadonlySet<string>
  #checkedAt = Date.now()
  #isChecking = false

  /** `uris` are resources that the caller can see now. */
  constructor(call: Call, uris: readonly string[]) {
    this.#call = call
    this.#uris = uris
    this.#visible = new Set(uris)
  }

  toVisible({ lists, uris }: Delivery): Delivery {
    return { lists, uris: uris.filter((uri) => this.#visible.has(uri)) }
  }

  /** Checks until the returned function is called, and passes on why the stream must end. */
  check(end: (why: string) => void): () => void {
    if (this.#call.settings.guard === null && this.#uris.length === 0) return () => {}
    // not all streams of a deploy at once
    const ms = checkMs * (0.75 + Math.random() / 4)
    const timer = setInterval(() => void this.#checkNow(end), ms)
    return () => clearInterval(timer)
  }

  async #checkNow(end: (why: string) => void): Promise<void> {
    // an outage of the authenticator must not end all streams, but a stream must not outlive its token for long
    if (Date.now() - this.#checkedAt >= maxUncheckedMs) end(uncheckedText)
    if (this.#isChecking) return
    this.#isChecking = true
    try {
      const access = await this.#readmit()
      if (access === 'lost') return end(lostText)
      if (access === 'unknown') return
      this.#checkedAt = Date.now()
      this.#visible = new Set(await filterReadable(this.#uris, this.#call))
    } catch (error) {
      this.#call.log.error('subscriptions/listen', error)
    } finally {
      this.#isChecking = false
    }
  }

  async #readmit(): Promise<'kept' | 'lost' | 'unknown'> {
    const call = this.#call
    const { request, execution, caller } = call
    const { guard } = call.settings
    if (guard === null || request === null || execution === null) return 'kept'
    const admission = await guard.admit(request, call.env, execution, call.log)
    if (admission.kind === 'refused') {
      return temporary.has(admission.failure.kind) ? 'unknown' : 'lost'
    }
    const isSame = admission.digest === call.callerDigest
    if (!isSame || !hasScopes(admission.caller, caller?.scopes ?? [])) return 'lost'
    call.caller = admission.caller
    return 'kept'
  }
}

/** Failures that say nothing about the credentials. */
const temporary: ReadonlySet<Failure['kind']> = new Set([
  'authentication-unavailable',
  'rate-limited',
])
const lostText =
  'The credentials of this stream are no longer valid, or have lost a scope. Listen again.'
const uncheckedText = 'The credentials could not be checked for five minutes. Listen again.'

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
