import type { Prompt } from '../define/prompt.ts'
import type { PromptEntry, ResourceEntry } from '../define/registry.ts'
import type { Resource } from '../define/resource.ts'
import type { Exchange } from '../protocol/exchange.ts'
import { type JsonObject, isJsonObject, isTexts } from '../protocol/json.ts'
import { type Outcome, fail, toMembers } from '../protocol/outcome.ts'
import { attempt } from './attempt.ts'
import type { Method, Methods } from './methods.ts'
import { readTexts } from './prompts.ts'
import { refuse } from './visibility.ts'

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

/** What a client asks to have completed (server/utilities/completion, "CompleteRequest"). */
interface CompletionParams {
  readonly ref:
    | { readonly type: 'ref/prompt'; readonly name: string }
    | { readonly type: 'ref/resource'; readonly uri: string }
  readonly argument: string
  readonly value: string
  readonly chosen: Readonly<Record<string, string>>
}

type CompletionParamsRead =
  | { readonly ok: true; readonly params: CompletionParams }
  | { readonly ok: false; readonly why: string }

/** Reads the parameters of `completion/complete`. */
function readCompletionParams({ ref, argument, context = {} }: JsonObject): CompletionParamsRead {
  const target = readReference(ref)
  if (target === null) {
    const prompt = '{ "type": "ref/prompt", "name" }'
    return wrong(`params.ref must be ${prompt} or { "type": "ref/resource", "uri" }.`)
  }
  const { name, value } = isJsonObject(argument) ? argument : {}
  if (typeof name !== 'string' || typeof value !== 'string') {
    return wrong('params.argument must be { "name", "value" }, both strings.')
  }
  const { arguments: given = {} } = isJsonObject(context) ? context : { arguments: null }
  const chosen = readTexts(given)
  if (chosen === null) {
    return wrong('params.context.arguments must be an object whose values are strings.')
  }
  return { ok: true, params: { ref: target, argument: name, value, chosen } }
}

function readReference(ref: unknown): CompletionParams['ref'] | null {
  if (!isJsonObject(ref)) return null
  const { type, name, uri } = ref
  if (type === 'ref/prompt' && typeof name === 'string') return { type, name }
  return type === 'ref/resource' && typeof uri === 'string' ? { type, uri } : null
}

function wrong(why: string): CompletionParamsRead {
  return { ok: false, why }
}

/** What is completed, whose definition knows how. */
interface CompletionTarget {
  /** The prompt's name or the resource's URI, and the argument's name. */
  readonly of: string
  readonly argument: string
  readonly suggestions: readonly string[] | 'completer'
  readonly load: () => Promise<{ readonly default: Prompt | Resource }>
}

/** Completes one argument (server/utilities/completion, "Requesting Completions"). */
function complete(
  { of, argument, suggestions, load }: CompletionTarget,
  typed: { readonly value: string; readonly chosen: Readonly<Record<string, string>> },
  exchange: Exchange,
): Promise<Outcome> {
  const what = `${argument} of ${of}`
  return attempt(`completion/complete ${what}`, exchange, async (signal) => {
    const { value } = typed
    if (suggestions !== 'completer') {
      const members = toCompletionMembers(what, suggestOptions(suggestions, value))
      return { kind: 'result', members }
    }
    const { default: made } = await load()
    const completer = made.definition.complete?.[argument]
    const returned = await completer?.({ ...typed, env: exchange.env, signal })
    return { kind: 'result', members: toCompletionMembers(what, returned) }
  })
}

/** Values that one completion may have (server/utilities/completion, "Completion Results"). */
const most = 100

/** The values that begin with what was typed, whatever the case, in the order of the schema. */
function suggestOptions(options: readonly string[], typed: string): readonly string[] {
  const start = typed.toLowerCase()
  return options.filter((option) => option.toLowerCase().startsWith(start))
}

/**
 * Prints what a completer returned as the members of a result: the first hundred values, and how many
 * there are.
 *
 * @throws {TypeError} for what only an untyped author would return.
 */
function toCompletionMembers(what: string, returned: unknown): string {
  const { values, total } = isJsonObject(returned) ? returned : { values: returned }
  if (!isTexts(values) || !isTotal(total)) {
    throw new TypeError(`${what} is completed by neither a list of texts nor { values, total }.`)
  }
  const all = Math.max(total ?? 0, values.length)
  return toMembers({
    completion: {
      values: values.slice(0, most),
      total: all,
      hasMore: all > Math.min(values.length, most),
    },
  })
}

function isTotal(total: unknown): total is number | undefined {
  return total === undefined || Number.isSafeInteger(total)
}
