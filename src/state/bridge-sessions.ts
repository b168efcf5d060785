import { cancelledMessage, runningCallHeader } from '../objects/bridge-calls.ts'
import type { SessionReply, SessionSubscription } from '../objects/bridge-session.ts'
import { openObjectSocket, toObjectSocket } from './object-socket.ts'

/** The object of one session, over RPC: it exists for sessions that subscribe, cancel or end. */
export interface BridgeSession {
  fetch(url: string, init: RequestInit): Promise<Response>
  readSession(): Promise<SessionReply>
  /** `until` is the age limit of the session, when everything is deleted. */
  subscribe(subscription: SessionSubscription, until: number): Promise<SessionReply>
  unsubscribe(uri: string, until: number): Promise<SessionReply>
  endSession(until: number): Promise<void>
  cancelCall(call: string): Promise<void>
}

interface BridgeSessionNamespace {
  getByName(name: string): BridgeSession
}

/**
 * Finds the objects of sessions in `ctx.exports`; `null` where the Worker does not export the class
 * `Bridge` or does not declare it.
 */
export function findBridgeSessions(exports: unknown): BridgeSessionNamespace | null {
  const found: unknown = Object(exports).Bridge
  return isNamespace(found) ? found : null
}

function isNamespace(value: unknown): value is BridgeSessionNamespace {
  // a class that is exported but not declared is here too, without the methods of a namespace
  return typeof value === 'function' && 'getByName' in value
}

/**
 * Tells the session's object that a call is running, and waits for its cancellation. Returns the
 * function that leaves. The socket belongs to this request, as all sockets in workerd.
 */
export async function joinRunningCall(
  session: BridgeSession,
  call: string,
  ageMs: number,
  onCancel: () => void,
): Promise<() => void> {
  const headers = { [runningCallHeader]: `${ageMs} ${call}` }
  const { webSocket, status } = await openObjectSocket(session, 'bridge', headers)
  if (webSocket === null) throw new Error(`A running call was refused with status ${status}.`)
  const { forward, close } = toObjectSocket(webSocket)
  void forward((text) => {
    if (text === cancelledMessage) onCancel()
  })
  return close
}
