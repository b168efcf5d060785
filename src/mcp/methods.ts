import type { Outcome } from '../protocol/outcome.ts'
import type { Call } from './call.ts'
import { complete } from './completions.ts'
import { discover } from './discover.ts'
import { answerPing, initialize, setLogLevel } from './legacy/initialize.ts'
import { subscribeToResource, unsubscribeFromResource } from './legacy/session-subscriptions.ts'
import { getPrompt, listPrompts } from './prompts.ts'
import { listResources } from './resources-list.ts'
import { listResourceTemplates, readResource } from './resources.ts'
import { listen } from './subscriptions.ts'
import type { Settings } from './settings.ts'
import { runTool, listTools } from './tools.ts'

/** Handles one method. Only the envelope has been checked, not the other parameters. */
export type Method = (call: Call) => Outcome | Promise<Outcome>

/** The methods of every revision; a `Map`, because clients choose the names that are looked up. */
const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['tools/list', listTools],
  ['tools/call', runTool],
  ['prompts/list', listPrompts],
  ['prompts/get', getPrompt],
  ['resources/list', listResources],
  ['resources/templates/list', listResourceTemplates],
  ['resources/read', readResource],
  ['completion/complete', complete],
])

/** The methods that revision 2026-07-28 added. */
const modernMethods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['server/discover', discover],
  ['subscriptions/listen', listen],
])

/** The methods that revision 2026-07-28 removed. */
const legacyMethods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['initialize', initialize],
  ['ping', answerPing],
  ['logging/setLevel', setLogLevel],
  ['resources/subscribe', subscribeToResource],
  ['resources/unsubscribe', unsubscribeFromResource],
])

interface MethodCall extends Pick<Call, 'method' | 'revision'> {
  readonly settings: Pick<Settings, 'registry' | 'entries'>
}

/**
 * Returns the handler of a call's method. `null` if the revision of the call has no such method, or the
 * server has nothing that the method is for.
 */
export function findMethod({ method, revision, settings }: MethodCall): Method | null {
  if (!isServed(method, settings)) return null
  const ofEra = revision === null ? modernMethods : legacyMethods
  return methods.get(method) ?? ofEra.get(method) ?? null
}

function isServed(method: string, { registry, entries }: MethodCall['settings']): boolean {
  switch (method.slice(0, method.indexOf('/'))) {
    case 'tools':
      return registry.tools.length > 0
    case 'prompts':
      return registry.prompts.length > 0
    case 'resources':
      return registry.resources.length > 0
    case 'completion':
      return entries.completes
    default:
      return true
  }
}
