import type { CallSettings } from '../calls/call.ts'
import { getPrompt } from '../calls/get-prompt.ts'
import type { PromptEntry } from '../registry/entries.ts'
import { fail, type Outcome } from '../wire/outcome.ts'
import { refuse } from './admit.ts'
import { createListMethod } from './lists.ts'
import type { MethodSettings } from './method-settings.ts'
import type { Method, Methods } from './protocol.ts'
import { readTexts } from './texts.ts'

/** Makes the methods of the prompts there are; none where there are none (server/prompts). */
export function createPromptMethods(
  entries: readonly PromptEntry[],
  settings: MethodSettings,
): Methods {
  if (entries.length === 0) return new Map()
  const listed = entries.map((entry) => ({ ...entry, key: entry.name }))
  return new Map([
    ['prompts/list', createListMethod('prompts', listed, settings)],
    ['prompts/get', createPromptsGet(entries, settings)],
  ])
}

function createPromptsGet(entries: readonly PromptEntry[], settings: CallSettings): Method {
  const byName = new Map(entries.map((entry) => [entry.name, entry]))
  return async ({ params }, exchange, envelope): Promise<Outcome> => {
    const { name, arguments: given = {} } = params
    const entry = typeof name === 'string' ? byName.get(name) : undefined
    const unknown = (): Outcome => invalid(`Unknown prompt: ${String(name)}`)
    if (entry === undefined) return unknown()
    const refused = await refuse(entry, exchange, unknown)
    if (refused !== null) return refused
    const input = readTexts(given)
    if (input === null)
      return invalid('params.arguments must be an object whose values are strings.')
    const call = {
      method: 'prompts/get',
      name: entry.name,
      input,
      params,
      exchange,
      envelope,
    } as const
    return getPrompt(call, entry.load, settings)
  }
}

function invalid(why: string): Outcome {
  return fail({ kind: 'invalid-params', why })
}
