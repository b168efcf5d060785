import { complete } from '../calls/complete.ts'
import type { PromptEntry, ResourceEntry } from '../registry/entries.ts'
import { fail, type Outcome } from '../wire/outcome.ts'
import { refuse } from './admit.ts'
import { readCompletionParams, type CompletionParams } from './completion-params.ts'
import type { Method, Methods } from './protocol.ts'

type Entry = PromptEntry | ResourceEntry

/**
 * Makes `completion/complete` where at least one argument has anything to suggest: a server that has
 * the method must say so among its capabilities (server/utilities/completion).
 */
export function createCompletionMethods(
  prompts: readonly PromptEntry[],
  resources: readonly ResourceEntry[],
): Methods {
  const all = [...prompts, ...resources].flatMap((entry) => entry.arguments)
  if (all.every(({ suggestions }) => suggestions.length === 0)) return new Map()
  const byName = new Map<string, Entry>(prompts.map((entry) => [entry.name, entry]))
  const byUri = new Map<string, Entry>(resources.map((entry) => [entry.uri, entry]))
  return new Map([['completion/complete', createComplete(byName, byUri)]])
}

function createComplete(
  byName: ReadonlyMap<string, Entry>,
  byUri: ReadonlyMap<string, Entry>,
): Method {
  return async ({ params }, exchange): Promise<Outcome> => {
    const read = readCompletionParams(params)
    if (!read.ok) return invalid(read.why)
    const { ref, argument, value } = read.params
    const entry = ref.type === 'ref/prompt' ? byName.get(ref.name) : byUri.get(ref.uri)
    const of = ref.type === 'ref/prompt' ? ref.name : ref.uri
    const what = ref.type === 'ref/prompt' ? 'prompt' : 'resource or resource template'
    const unknown = (): Outcome => invalid(`There is no ${what} ${of}.`)
    if (entry === undefined) return unknown()
    const refused = await refuse(entry, exchange, unknown)
    if (refused !== null) return refused
    const found = entry.arguments.find(({ name }) => name === argument)
    if (found === undefined) return invalid(`${of} has no argument ${argument}.`)
    const target = { of, argument, suggestions: found.suggestions, load: entry.load }
    return complete(target, { value, chosen: toChosen(entry, read.params) }, exchange)
  }
}

/** The arguments that this entry has, in an object without prototype. */
function toChosen(entry: Entry, { chosen }: CompletionParams): Readonly<Record<string, string>> {
  const own: Record<string, string> = Object.create(null)
  for (const { name } of entry.arguments) {
    const value = Object.hasOwn(chosen, name) ? chosen[name] : undefined
    if (value !== undefined) own[name] = value
  }
  return own
}

function invalid(why: string): Outcome {
  return fail({ kind: 'invalid-params', why })
}
