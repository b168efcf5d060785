import type { Call } from '../call.ts'
import { type Method, findMethod } from '../methods.ts'
import { answerPing, initialize, setLogLevel } from './initialize.ts'

/** The methods that revision 2026-07-28 removed. */
const legacyMethods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['initialize', initialize],
  ['ping', answerPing],
  ['logging/setLevel', setLogLevel],
])

/** The methods that revision 2026-07-28 added. */
const modernMethods: ReadonlySet<string> = new Set(['server/discover', 'subscriptions/listen'])

/** Returns the handler of a method for a client of an earlier revision; `null` for an unknown one. */
export function findLegacyMethod({ method, settings }: Call): Method | null {
  const legacy = legacyMethods.get(method)
  if (legacy !== undefined) return legacy
  if (modernMethods.has(method)) return null
  return findMethod(method, settings.registry, settings.entries)
}
