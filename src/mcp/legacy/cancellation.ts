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
 * Stops a call when its client cancels it (2025-11-25, basic/utilities/cancellation). A call without
 * I/O is over before that, and only a call that takes two seconds wakes the object of its session.
 */
export async function watchCancellation(call: Call, answering: Promise<unknown>): Promise<void> {
  if (call.session === null || (await endsQuickly(answering))) return
  const key = findKey(call)
  if (key !== null) void watch(call, answering, key)
}

/**
 * Stops a call whose cancellation has arrived in this isolate, and returns whether it is stopped.
 * For a call that is about to run, because {@link watchCancellation} may notice it too late.
 */
export function stopIfCancelled(call: Call): boolean {
  const key = findKey(call)
  const { cancelledCalls } = call.settings
  if (key !== null && cancelledCalls.isCancelled(key, call.began)) stop(call)
  return call.isCancelled
}

function stop(call: Call): void {
  call.isCancelled = true
  call.channel.abort(new ClientGone('The client cancelled the request.'))
}

async function watch(call: Call, answering: Promise<unknown>, key: string): Promise<void> {
  const { cancelledCalls } = call.settings
  cancelledCalls.begin(key)
  const look = setInterval(() => stopIfCancelled(call), lookMs)
  const join = setTimeout(() => void joinUntil(call, answering), joinMs)
  await answering.catch(() => {})
  clearInterval(look)
  clearTimeout(join)
  cancelledCalls.end(key)
}

/** Waits for a cancellation that arrives at another isolate. */
async function joinUntil(call: Call, answering: Promise<unknown>): Promise<void> {
  const session = call.state.bridgeSession(call.session)
  if (session === null) return
  try {
    const name = await toDigest([call.callerDigest, call.id])
    const leave = await joinRunningCall(session, name, Date.now() - call.began, () => stop(call))
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
  if (!isHere) call.waitUntil(cancelElsewhere(call, requestId))
}

async function cancelElsewhere(call: Call, id: RequestId): Promise<void> {
  try {
    await call.state
      .bridgeSession(call.session)
      ?.cancelCall(await toDigest([call.callerDigest, id]))
  } catch (error) {
    call.log.warn('notifications/cancelled', 'A cancellation was not passed on.', error)
  }
}

function findKey(call: Call): string | null {
  const { session, id } = call
  return session === null || id === undefined ? null : toKey(call, session, id)
}

/** A number and a string are different ids. A session that began anonymously may have several callers. */
function toKey({ callerDigest }: Call, { nonce }: Session, id: RequestId): string {
  return `${nonce} ${callerDigest} ${JSON.stringify(id)}`
}
