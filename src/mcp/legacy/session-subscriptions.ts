import {
  type ActiveSession,
  type SessionReply,
  maxSubscriptions,
} from '../../objects/bridge-session.ts'
import { type Outcome, emptyResult, fail } from '../../protocol/outcome.ts'
import type { BridgeSession } from '../../state/bridge.ts'
import type { Call } from '../call.ts'
import { notFound } from '../resources.ts'
import { checkVisible } from '../visibility.ts'
import { type Session, toSessionEnd } from './session.ts'

/** Whether the server has subscriptions: resources, and the objects that deliver their updates. */
export function canSubscribe({ settings, state }: Call): boolean {
  return settings.registry.resources.length > 0 && state.hasHub && state.hasBridge
}

/** `resources/subscribe` (2025-11-25, server/resources, "Subscriptions"). */
export function subscribeToResource(call: Call): Promise<Outcome> {
  return change(call, async (object, uri, until) => {
    const found = call.settings.entries.findResource(uri)
    if (found === null) return notFound(uri)
    const refused = await checkVisible(found.entry, call, () => notFound(uri))
    return refused ?? object.subscribe({ uri, key: found.key }, until)
  })
}

/** `resources/unsubscribe`. It is no error if the session did not subscribe to the resource. */
export function unsubscribeFromResource(call: Call): Promise<Outcome> {
  return change(call, (object, uri, until) => object.unsubscribe(uri, until))
}

/**
 * Changes the subscriptions of a session. When it returns, an open stream of the session is already
 * sent the updates, in whichever isolate it is.
 */
async function change(
  call: Call,
  apply: (object: BridgeSession, uri: string, until: number) => Promise<SessionReply | Outcome>,
): Promise<Outcome> {
  const { session, state, method, params } = call
  if (!canSubscribe(call)) return fail({ kind: 'unknown-method', method })
  const { uri } = params
  if (typeof uri !== 'string') {
    return fail({ kind: 'invalid-params', why: 'params.uri must be a string.' })
  }
  const object = state.bridgeSession(session)
  if (session === null || object === null) {
    const why =
      'A subscription belongs to a session. Send `initialize`, and the Mcp-Session-Id of its ' +
      'response with this request.'
    return fail({ kind: 'invalid-params', why })
  }
  try {
    const reply = await apply(object, uri, toSessionEnd(session))
    switch (reply.kind) {
      case 'active':
        await updateStream(call, session, reply)
        return emptyResult
      case 'full':
        return fail({ kind: 'invalid-params', why: fullText })
      case 'ended':
        return fail({ kind: 'session-not-found' })
      default:
        return reply
    }
  } catch (error) {
    const errorId = call.log.error(method, error)
    const why = `Subscriptions are not available at the moment. Try again in a minute. Error id: ${errorId}.`
    return fail({ kind: 'failed', why })
  }
}

/** Tells the hub what the open stream of a session is sent, in whichever isolate it is. */
export async function updateStream(
  { state, settings }: Call,
  { nonce }: Session,
  { version, subscriptions }: ActiveSession,
): Promise<void> {
  const keys = subscriptions.map(({ uri, key }) => settings.entries.findResource(uri)?.key ?? key)
  await state.hub().updateSession(nonce, { uris: [...new Set(keys)], version })
}

const fullText =
  `A session can subscribe to ${maxSubscriptions} resources, and to fewer with long URIs. ` +
  'Unsubscribe from one of them first.'
