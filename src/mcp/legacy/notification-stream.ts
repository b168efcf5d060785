import { type Delivery, listKinds } from '../../objects/hub-listener.ts'
import { maxSubscriptionBytes } from '../../objects/bridge-session.ts'
import type { MessageStream } from '../../protocol/message.ts'
import { type Outcome, type SilentEnd, fail } from '../../protocol/outcome.ts'
import type { Call } from '../call.ts'
import { type HubStream, forwardDeliveries, joinHub } from '../hub-stream.ts'
import { StreamAccess, findReadable } from '../stream-access.ts'
import { updateStream } from './session-subscriptions.ts'

/**
 * Opens the stream of notifications of a client (2025-11-25, basic/transports, "Listening for
 * Messages from the Server"). Its session is optional: without one it has no subscriptions.
 */
export async function openNotifications(call: Call): Promise<Outcome> {
  const { registry } = call.settings
  const stream = new SessionStream(call)
  const joined = await joinHub(
    call,
    {
      lists: listKinds.filter((kind) => registry[kind].length > 0),
      uris: [],
      ...(call.session !== null && { session: call.session.nonce }),
    },
    call.session === null ? 0 : maxSubscriptionBytes,
  )
  if (joined.kind === 'failure') {
    const { failure } = joined
    if (failure.kind === 'too-many-listeners') return joined
    // a client reads the body of a response with status 200 as a stream
    return fail({ kind: 'document-failed', cause: failure })
  }
  const refused = await refreshOrRefuse(call, stream)
  if (refused === null) return { kind: 'stream', run: (messages) => stream.run(messages, joined) }
  joined.connection.close()
  return refused
}

/** Reads the subscriptions after the hub was joined, so that no later change is missed. */
async function refreshOrRefuse(call: Call, stream: SessionStream): Promise<Outcome | null> {
  try {
    const status = await stream.refresh()
    return status === 'ended' ? fail({ kind: 'session-not-found' }) : null
  } catch (error) {
    const errorId = call.log.error('notifications', error)
    const why = `Subscriptions cannot be read. Listen again in a minute. Error id: ${errorId}.`
    return fail({ kind: 'document-failed', cause: { kind: 'failed', why } })
  }
}

/** The stream of one session, whose subscriptions change while it is open. */
class SessionStream {
  readonly #call: Call
  readonly #access: StreamAccess
  /** The version of the session's subscriptions that is known here. */
  #version: number | undefined

  constructor(call: Call) {
    this.#call = call
    this.#access = new StreamAccess(call, new Map())
  }

  async run(messages: MessageStream, joined: HubStream): Promise<SilentEnd> {
    // deliveries keep their order, even if one of them waits for the subscriptions to be read
    let last: Promise<void> | null = null
    const { isOver } = await forwardDeliveries(messages, joined, this.#access, (delivery, send) => {
      if (this.#knows(delivery) && last === null) {
        return this.#access.toNotifications(delivery).forEach(send)
      }
      const refreshed = this.#refreshAfter(last, delivery).then(() => {
        this.#access.toNotifications(delivery).forEach(send)
        // nothing waits any more: the next delivery may be sent at once
        if (last === refreshed) last = null
      })
      last = refreshed
    })
    return { kind: 'closed', isOver }
  }

  /** Reads what the session has subscribed to, and tells the hub. */
  async refresh(): Promise<'active' | 'ended'> {
    const { session, state } = this.#call
    const object = state.bridgeSession(session)
    if (session === null || object === null) return 'active'
    const reply = await object.readSession()
    if (reply.kind === 'ended') return 'ended'
    if (reply.version === 0) return 'active'
    const uris = reply.subscriptions.map(({ uri }) => uri)
    this.#access.replace(uris, await findReadable(uris, this.#call))
    this.#version = reply.version
    await updateStream(this.#call, session, reply)
    return 'active'
  }

  /** Whether the hub selected the resources of a delivery by the subscriptions that are known here. */
  #knows({ uris, version }: Delivery): boolean {
    return uris.length === 0 || version === this.#version
  }

  async #refreshAfter(last: Promise<void> | null, delivery: Delivery): Promise<void> {
    await last
    if (this.#knows(delivery)) return
    try {
      await this.refresh()
    } catch (error) {
      // the notification is sent by what is known: a session's object may be restarting
      this.#call.log.warn('notifications', 'Subscriptions could not be read.', error)
    }
  }
}
