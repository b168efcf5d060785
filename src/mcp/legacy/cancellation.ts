import type { RequestId } from '../../protocol/message.ts'
import { joinRunningCall } from '../../state/bridge.ts'
import { toDigest } from '../../util/digest.ts'
import { endsQuickly } from '../../util/microtasks.ts'
import type { Call } from '../call.ts'
import { ClientGone } from '../deadline.ts'
import type { Session } from './session.ts'

/** Milliseconds between two looks at what was cancelled in this isolate. */
const lookMs = 250
/** Milliseconds after which a call can also be cancelled through the object of its session. */
const joinMs = 2_000

/**
 * Stops a call when its client cancels it (2025-11-25, basic/utilities/cancellation). Calls without
 * I/O are over before that, and wake nothing; nor do those that take less than two seconds.
 */
export function watchCancellation(call: Call, answering: Promise<unknown>): void {
  const { session, id, method } = call
  if (session === null || id === undefined || method === 'initialize') return
  void endsQuickly(answering).then((isQuick) => {
    if (!isQuick) void watch(call, answering, toKey(call, session, id))
  })
}

async function watch(call: Call, answering: Promise<unknown>, key: string): Promise<void> {
  const { cancelledCalls } = call.settings.sessions
  const stop = (): void => {
    call.isCancelled = true
    call.channel.abort(new ClientGone('The client cancelled the request.'))
  }
  cancelledCalls.begin(key)
  const look = setInterval(() => {
    if (cancelledCalls.isCancelled(key, call.began)) stop()
  }, lookMs)
  const join = setTimeout(() => void joinUntil(call, answering, stop), joinMs)
  await answering.catch(() => {})
  clearInterval(look)
  clearTimeout(join)
  cancelledCalls.end(key)
}

/** Waits for a cancellation that arrives at another isolate. */
async function joinUntil(call: Call, answering: Promise<unknown>, stop: () => void): Promise<void> {
  const session = toBridgeSession(call)
  if (session === null) return
  try {
    const name = await toDigest([call.callerDigest, call.id])
    const leave = await joinRunningCall(session, name, Date.now() - call.began, stop)
    await answering.catch(() => {})
    leave()
  } catch (error) {
    // the call goes on: only a cancellation that arrives elsewhere does not reach it
    call.log.warn('notifications/cancelled', 'This call cannot be cancelled elsewhere.', error)
  }
}

/** Handles `notifications/cancelled`. What names no running call of the session is ignored. */
export function cancelCall(call: Call): void {
  const { session, params, settings } = call
  const { requestId } = params
  if (session === null || !isRequestId(requestId)) return
  const isHere = settings.sessions.cancelledCalls.cancel(toKey(call, session, requestId))
  if (!isHere) call.waitUntil(cancelElsewhere(call, requestId))
}

async function cancelElsewhere(call: Call, id: RequestId): Promise<void> {
  try {
    await toBridgeSession(call)?.cancelCall(await toDigest([call.callerDigest, id]))
  } catch (error) {
    call.log.warn('notifications/cancelled', 'A cancellation was not passed on.', error)
  }
}

function toBridgeSession({ session, state }: Call) {
  return session === null ? null : state.bridgeSession(session.nonce)
}

function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'string' || typeof id === 'number'
}

/** A number and a string are different ids. A session that began anonymously may have several callers. */
function toKey({ callerDigest }: Call, { nonce }: Session, id: RequestId): string {
  return `${nonce} ${callerDigest} ${JSON.stringify(id)}`
}
