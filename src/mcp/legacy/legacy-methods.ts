import type { Call } from '../call.ts'
import { type Method, findMethod } from '../methods.ts'
import { answerPing, initialize, setLogLevel } from './initialize.ts'
import {
  canSubscribe,
  subscribeToResource,
  unsubscribeFromResource,
} from './session-subscriptions.ts'

/** The methods that revision 2026-07-28 removed. */
const legacyMethods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['initialize', initialize],
  ['ping', answerPing],
  ['logging/setLevel', setLogLevel],
])

const subscriptionMethods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['resources/subscribe', subscribeToResource],
  ['resources/unsubscribe', unsubscribeFromResource],
])

/** The methods that revision 2026-07-28 added. */
const modernMethods: ReadonlySet<string> = new Set(['server/discover', 'subscriptions/listen'])

/** Returns the handler of a method for a client of an earlier revision; `null` for an unknown one. */
export function findLegacyMethod(call: Call): Method | null {
  const { method, settings } = call
  const legacy = legacyMethods.get(method)
  if (legacy !== undefined) return legacy
  const subscription = subscriptionMethods.get(method)
  if (subscription !== undefined) return canSubscribe(call) ? subscription : null
  if (modernMethods.has(method)) return null
  return findMethod(method, settings.registry, settings.entries)
}
