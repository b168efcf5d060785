import {
  type Delivery,
  type Listener,
  type ListenerOwner,
  maxListenerBytes,
  toListenerText,
} from '../objects/hub-listener.ts'
import type { Failure } from '../protocol/failure.ts'
import type { MessageStream, ServerNotification } from '../protocol/message.ts'
import { type FailureOutcome, fail } from '../protocol/outcome.ts'
import type { HubConnection } from '../state/hub.ts'
import { toDigest } from '../util/digest.ts'
import type { Call } from './call.ts'
import type { StreamAccess } from './stream-access.ts'

/** Milliseconds of a stream whose credentials have expired but were accepted. */
const lastListenMs = 30_000

/**
 * Milliseconds after which a client must listen again, so that no stream outlives a client for
 * long.
 */
const maxListenMs = 3_600_000

/** A place in the hub, for one stream of notifications. */
export interface HubStream {
  readonly kind: 'joined'
  readonly connection: HubConnection
  /** Milliseconds since 1970 when the stream must end. */
  readonly until: number
}

/**
 * Joins the hub for a stream of this call. `reserved` bytes are left for URIs that are added later.
 * A failure ends the call.
 */
export async function joinHub(
  call: Call,
  wanted: Pick<Listener, 'lists' | 'uris' | 'session'>,
  reserved = 0,
): Promise<HubStream | FailureOutcome> {
  const { caller, settings } = call
  const until = Math.min(Date.now() + maxListenMs, toEnd(caller?.expires))
  // the hub checks scopes for each event, and announces a deploy to listeners with another digest
  const listener: Listener = {
    ...wanted,
    scopes: caller?.scopes ?? [],
    until,
    digest: settings.registry.digest,
  }
  const bytes = toListenerText(listener).length + reserved
  if (bytes > maxListenerBytes) return fail(tooLarge(bytes))
  try {
    const owner = await toOwner(call)
    const connection = await call.state.hub().join(listener, owner)
    if (connection === null) return fail({ kind: 'too-many-listeners', most: owner.most })
    const { signal } = call
    signal.addEventListener('abort', () => connection.close())
    // the client may have disconnected while the hub was joined
    if (signal.aborted) connection.close()
    return { kind: 'joined', connection, until }
  } catch (error) {
    const errorId = call.log.error(call.method || 'notifications', error)
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

type Send = (notification: ServerNotification) => void

interface StreamEnd {
  /** A sentence for the client. */
  readonly reason: string
  /** The stream must not be opened again: its session has ended, or has a newer one. */
  readonly isOver: boolean
}

/**
 * Forwards the hub's deliveries on an open stream until its time is over, until the caller has lost
 * its access, until the hub or the client disconnects, or until the client reads too slowly.
 */
export async function forwardDeliveries(
  stream: MessageStream,
  { connection, until }: HubStream,
  access: StreamAccess,
  forward: (delivery: Delivery, send: Send) => void,
): Promise<StreamEnd> {
  let reason = 'The server restarted its notifications. Listen again.'
  const end = (why: string): void => {
    reason = why
    connection.close()
  }
  const send: Send = (notification) => {
    if (stream.backlog() <= maxBacklog) stream.send(notification)
    else end('The stream was read too slowly. Listen again.')
  }
  stream.signal.addEventListener('abort', () => connection.close())
  const timer = setTimeout(
    end,
    until - Date.now(),
    'This stream has reached its time limit. Listen again.',
  )
  const stopChecking = access.check(end)
  const isOver = await connection.forward((delivery) => forward(delivery, send))
  stopChecking()
  clearTimeout(timer)
  return { reason, isOver }
}
