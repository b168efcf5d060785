import type { Abilities } from '../define/contexts.ts'
import type { Prompt } from '../define/prompt.ts'
import type { PromptEntry } from '../define/registry.ts'
import type { Content, PromptMessage } from '../protocol/content.ts'
import { isJsonObject } from '../protocol/json.ts'
import { type Outcome, fail, toMembers } from '../protocol/outcome.ts'
import { hasContentType, readContentBlock } from '../protocol/read-content.ts'
import { mapSync } from '../util/microtasks.ts'
import type { Call } from './call.ts'
import { WorkContext } from './contexts.ts'
import { DefinitionLoader, withNearest } from './entries.ts'
import { runPipeline } from './pipeline.ts'
import { checkSize } from './result-size.ts'
import { type AnswerValues, Work } from './work.ts'
import { excerpt } from '../util/excerpt.ts'

/** `prompts/list` (server/prompts, "Listing Prompts"). */
export function listPrompts(call: Call): Outcome | Promise<Outcome> {
  return call.settings.entries.lists.prompts.answer(call)
}

/** `prompts/get` (server/prompts, "Getting a Prompt"). */
export function getPrompt(call: Call): Outcome | Promise<Outcome> {
  const { name, arguments: given = {} } = call.params
  const entry = typeof name === 'string' ? call.settings.entries.prompts.get(name) : undefined
  const { prompts } = call.settings.entries
  if (entry === undefined) return withNearest(unknownPrompt(name), name, prompts)
  return runPipeline(new PromptWork(call, entry, readTextMap(given)))
}

function unknownPrompt(name: unknown): Outcome {
  const why =
    typeof name === 'string' ? `Unknown prompt: ${excerpt(name)}` : 'params.name must be a string.'
  return fail({ kind: 'invalid-params', why })
}

const definitions = new DefinitionLoader<Prompt>()

class PromptWork extends Work {
  readonly entry: PromptEntry
  readonly #texts: Readonly<Record<string, string>> | null
  #prompt: Prompt | null = null
  #input: unknown = undefined

  constructor(call: Call, entry: PromptEntry, texts: Readonly<Record<string, string>> | null) {
    super(call, entry.name, texts ?? {})
    this.entry = entry
    this.#texts = texts
  }

  override toUnknown(): Outcome {
    return withNearest(unknownPrompt(this.name), this.name, this.call.settings.entries.prompts)
  }

  override checkParams(): Outcome | null {
    if (this.#texts !== null) return null
    const why = 'params.arguments must be an object whose values are strings.'
    return fail({ kind: 'invalid-params', why })
  }

  override async load(): Promise<void> {
    this.#prompt = await definitions.load(this.entry)
  }

  get #loaded(): Prompt {
    if (this.#prompt === null) throw new TypeError(`${this.name} was used before it was loaded.`)
    return this.#prompt
  }

  override checkInput(): Outcome | null | Promise<Outcome | null> {
    return mapSync(this.#loaded.checkInput(this.input), (checked) => {
      if (!checked.ok) {
        const why = `${this.name} cannot be filled in. ${checked.problems.join(' ')}`
        return fail({ kind: 'invalid-params', why })
      }
      this.#input = checked.value
      return null
    })
  }

  override get hasRounds(): boolean {
    return true
  }

  override get asks(): boolean {
    return this.#loaded.definition.ask !== undefined
  }

  override ask(answers: AnswerValues, can: Abilities): unknown {
    return this.#loaded.definition.ask?.(Object.assign(this.#toContext(), { answers, can })) ?? {}
  }

  override async run(answers: AnswerValues): Promise<Outcome> {
    const { definition } = this.#loaded
    const returned = await definition.messages(Object.assign(this.#toContext(), { answers }))
    const messages = toPromptMessages(this.name, returned)
    const members = toMembers({ description: definition.description, messages })
    const { maxResultBytes } = this.call.settings
    return { kind: 'result', members: checkSize(this.name, members, maxResultBytes) }
  }

  #toContext() {
    const context = new WorkContext(this.call, this.name, this.deadline)
    return Object.assign(context, { input: this.#input })
  }
}

/**
 * Converts the value of `messages` to messages of the protocol. These have one content each, so a
 * message with several becomes several messages (server/prompts, "PromptMessage").
 *
 * @throws {TypeError} for a value that the types forbid.
 */
function toPromptMessages(name: string, returned: unknown): readonly PromptMessage[] {
  const messages: readonly unknown[] = Array.isArray(returned) ? returned : [returned]
  // Array.from, because other methods skip holes, and JSON prints them as null
  return Array.from(messages).flatMap((message) => {
    const spoken = typeof message === 'string' ? { role: 'user', content: message } : message
    const { role, content } = isJsonObject(spoken) ? spoken : {}
    if (role !== 'user' && role !== 'assistant') throw createUnreadable(name)
    const blocks: readonly unknown[] = Array.isArray(content) ? content : [content]
    return Array.from(blocks, (block) => ({ role, content: toContent(name, block) }))
  })
}

function toContent(name: string, block: unknown): Content {
  if (typeof block === 'string') return { type: 'text', text: block }
  if (!hasContentType(block)) throw createUnreadable(name)
  return readContentBlock(block, `messages of ${name}: content`)
}

function createUnreadable(name: string): TypeError {
  return new TypeError(
    `${name} returned a message that is neither text nor { role, content } with the role "user" or ` +
      '"assistant" and content made of text and content blocks.',
  )
}

/** Reads the arguments of a prompt or completion, an object of strings; `null` for anything else. */
export function readTextMap(value: unknown): Readonly<Record<string, string>> | null {
  return isJsonObject(value) && hasTexts(value) ? value : null
}

function hasTexts(value: object): value is Readonly<Record<string, string>> {
  return Object.values(value).every((text) => typeof text === 'string')
}
