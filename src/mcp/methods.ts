import type { Registry } from '../define/registry.ts'
import type { Outcome } from '../protocol/outcome.ts'
import type { Call } from './call.ts'
import { complete } from './completions.ts'
import { discover } from './discover.ts'
import type { EntryIndex } from './entries.ts'
import { getPrompt, listPrompts } from './prompts.ts'
import { listResources } from './resources-list.ts'
import { listResourceTemplates, readResource } from './resources.ts'
import { listen } from './subscriptions.ts'
import { runTool, listTools } from './tools.ts'

/** Handles one method. Only the envelope has been checked, not the other parameters. */
export type Method = (call: Call) => Outcome | Promise<Outcome>

/** a `Map`, because clients choose the names that are looked up */
const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['server/discover', discover],
  ['subscriptions/listen', listen],
  ['tools/list', listTools],
  ['tools/call', runTool],
  ['prompts/list', listPrompts],
  ['prompts/get', getPrompt],
  ['resources/list', listResources],
  ['resources/templates/list', listResourceTemplates],
  ['resources/read', readResource],
  ['completion/complete', complete],
])

/** Returns the handler of a method; `null` if the server has nothing that the method is for. */
export function findMethod(
  name: string,
  registry: Registry,
  entries: Pick<EntryIndex, 'completes'>,
): Method | null {
  return isServed(name, registry, entries) ? (methods.get(name) ?? null) : null
}

function isServed(
  name: string,
  { tools, prompts, resources }: Registry,
  { completes }: Pick<EntryIndex, 'completes'>,
): boolean {
  switch (name.slice(0, name.indexOf('/'))) {
    case 'tools':
      return tools.length > 0
    case 'prompts':
      return prompts.length > 0
    case 'resources':
      return resources.length > 0
    case 'completion':
      return completes
    default:
      return true
  }
}
