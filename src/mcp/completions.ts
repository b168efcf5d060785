import type { Prompt } from '../define/prompt.ts'
import type { PromptEntry, ResourceEntry } from '../define/registry.ts'
import type { Resource } from '../define/resource.ts'
import { type JsonObject, isJsonObject, isTextList } from '../protocol/json.ts'
import { type Outcome, fail, toMembers } from '../protocol/outcome.ts'
import type { Call } from './call.ts'
import { DefinitionLoader } from './entries.ts'
import { runPipeline } from './pipeline.ts'
import { readTextMap } from './prompts.ts'
import { Work } from './work.ts'
import { excerpt } from '../util/excerpt.ts'

type Entry = PromptEntry | ResourceEntry

/** `completion/complete` (server/utilities/completion, "Requesting Completions"). */
export function complete(call: Call): Outcome | Promise<Outcome> {
  const read = readCompletionParams(call.params)
  if (!read.ok) return invalid(read.why)
  const { ref } = read.params
  const { prompts, resources } = call.settings.entries
  const entry = ref.type === 'ref/prompt' ? prompts.get(ref.name) : resources.get(ref.uri)
  return entry === undefined
    ? unknownReference(ref)
    : runPipeline(new CompletionWork(call, entry, read.params))
}

function unknownReference(ref: CompletionParams['ref']): Outcome {
  return ref.type === 'ref/prompt'
    ? invalid(`There is no prompt ${excerpt(ref.name)}.`)
    : invalid(`There is no resource or resource template ${excerpt(ref.uri)}.`)
}

function invalid(why: string): Outcome {
  return fail({ kind: 'invalid-params', why })
}

const definitions = new DefinitionLoader<Prompt | Resource>()

/** Completes one argument, with the values of its schema or by its module's completer. */
class CompletionWork extends Work {
  readonly entry: Entry
  readonly #params: CompletionParams
  #definition: Prompt | Resource | null = null

  constructor(call: Call, entry: Entry, params: CompletionParams) {
    const { ref, argument } = params
    super(call, `${argument} of ${ref.type === 'ref/prompt' ? ref.name : ref.uri}`, {})
    this.entry = entry
    this.#params = params
  }

  override toUnknown(): Outcome {
    return unknownReference(this.#params.ref)
  }

  override checkParams(): Outcome | null {
    if (this.#suggestions !== null) return null
    const { ref, argument } = this.#params
    return invalid(
      `${ref.type === 'ref/prompt' ? ref.name : ref.uri} has no argument ${excerpt(argument)}.`,
    )
  }

  get #suggestions(): readonly string[] | 'completer' | null {
    const { argument } = this.#params
    const found = this.entry.arguments.find(({ name }) => name === argument)
    return found === undefined ? null : found.suggestions
  }

  override load(): Promise<void> | null {
    return this.#suggestions === 'completer' ? this.#loadCompleter() : null
  }

  async #loadCompleter(): Promise<void> {
    this.#definition = await definitions.load(this.entry)
  }

  override async run(): Promise<Outcome> {
    const { argument, value } = this.#params
    const suggestions = this.#suggestions
    if (suggestions !== 'completer') {
      const members = toCompletionMembers(this.name, suggestOptions(suggestions ?? [], value))
      return { kind: 'result', members }
    }
    const { env } = this.call
    const { signal } = this.deadline
    const completer = this.#definition?.definition.complete?.[argument]
    const chosen = toChosen(this.entry, this.#params)
    const returned = await completer?.({ value, chosen, env, signal })
    return { kind: 'result', members: toCompletionMembers(this.name, returned) }
  }
}

/** Returns the chosen values of arguments that the entry has, in an object without a prototype. */
function toChosen(entry: Entry, { chosen }: CompletionParams): Readonly<Record<string, string>> {
  const own: Record<string, string> = Object.create(null)
  for (const { name } of entry.arguments) {
    const value = Object.hasOwn(chosen, name) ? chosen[name] : undefined
    if (value !== undefined) own[name] = value
  }
  return own
}

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
  const chosen = readTextMap(given)
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

/** The maximum number of values in one result (server/utilities/completion, "Completion Results"). */
const most = 100

/** Returns the values that begin with the typed text, ignoring case, in the order of the schema. */
function suggestOptions(options: readonly string[], typed: string): readonly string[] {
  const start = typed.toLowerCase()
  return options.filter((option) => option.toLowerCase().startsWith(start))
}

/**
 * Prints the value of a completer as members of a result: the first hundred suggestions, and the
 * number of all.
 *
 * @throws {TypeError} for a value that the types forbid.
 */
function toCompletionMembers(what: string, returned: unknown): string {
  const { values: given, total } = isJsonObject(returned) ? returned : { values: returned }
  // as in a column of a database
  const values = Array.isArray(given) ? given.filter((value) => value !== null) : given
  if (!isTextList(values) || !isTotal(total)) {
    throw new TypeError(
      `${what} was completed with neither a list of strings nor { values, total }.`,
    )
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

function isTotal(total: unknown): total is number | null | undefined {
  return total === undefined || total === null || Number.isSafeInteger(total)
}
