import { isTextOrInteger } from '../../protocol/json.ts'
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
 * Stops a call when its client cancels it (2025-11-25, basic/utilities/cancellation), or ends its
 * session while a question is open, which could not be answered any more. A call without I/O is over
 * before that, and only a call that takes two seconds wakes the object of its session.
 */
export async function watchCancellation(call: Call, answering: Promise<unknown>): Promise<void> {
  const { session, id } = call
  if (session === null || id === undefined || (await endsQuickly(answering))) return
  void watch(call, session, toKey(call, session, id), answering)
}

/**
 * Stops a call whose cancellation has arrived in this isolate, and returns whether it is stopped.
 * For a call that is about to run, because {@link watchCancellation} may notice it too late.
 */
export function stopIfCancelled(call: Call): boolean {
  const { session, id, began } = call
  const { cancelledCalls } = call.settings
  if (session === null || id === undefined) return false
  if (cancelledCalls.isCancelled(toKey(call, session, id), began)) stop(call)
  return call.isCancelled
}

function stop(call: Call): void {
  call.isCancelled = true
  call.channel.abort(new ClientGone('The client cancelled the request.'))
}

async function watch(
  call: Call,
  session: Session,
  key: string,
  answering: Promise<unknown>,
): Promise<void> {
  const { sessions, cancelledCalls } = call.settings
  cancelledCalls.begin(key)
  const look = setInterval(() => {
    if (cancelledCalls.isCancelled(key, call.began)) stop(call)
    if (call.isAsking && sessions.hasEnded(session)) stop(call)
  }, lookMs)
  const join = setTimeout(() => void joinUntil(call, session, answering), joinMs)
  await answering.catch(() => {})
  clearInterval(look)
  clearTimeout(join)
  cancelledCalls.end(key)
}

/** Waits for what arrives at another isolate: a cancellation, or the end of the session. */
async function joinUntil(call: Call, session: Session, answering: Promise<unknown>): Promise<void> {
  const object = call.state.bridgeSession(session)
  if (object === null) return
  try {
    const name = await toDigest([call.callerDigest, call.id])
    const leave = await joinRunningCall(object, name, Date.now() - call.began, (news) => {
      if (news === 'cancelled') stop(call)
      else call.settings.sessions.end(session)
    })
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
  if (session === null || !isTextOrInteger(requestId)) return
  const isHere = settings.cancelledCalls.cancel(toKey(call, session, requestId))
  if (!isHere) call.waitUntil(cancelElsewhere(call, session, requestId))
}

async function cancelElsewhere(call: Call, session: Session, id: RequestId): Promise<void> {
  try {
    const object = call.state.bridgeSession(session)
    await object?.cancelCall(await toDigest([call.callerDigest, id]))
  } catch (error) {
    call.log.warn('notifications/cancelled', 'A cancellation was not passed on.', error)
  }
}

/** A number and a string are different ids. A session that began anonymously may have several callers. */
function toKey({ callerDigest }: Call, { nonce }: Session, id: RequestId): string {
  return `${nonce} ${callerDigest} ${JSON.stringify(id)}`
}
