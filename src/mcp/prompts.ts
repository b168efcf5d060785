import type { Prompt } from '../define/prompt.ts'
import type { PromptEntry } from '../define/registry.ts'
import { sanitizeMessage } from '../out/sanitizer.ts'
import type { Content, PromptMessage } from '../protocol/content.ts'
import { isJsonObject } from '../protocol/json.ts'
import { type Outcome, fail, toMembers } from '../protocol/outcome.ts'
import { attempt } from './attempt.ts'
import type { Call, CallSettings } from './checked-call.ts'
import { toWorking } from './contexts.ts'
import { createListMethod } from './lists.ts'
import type { Method, MethodSettings, Methods } from './methods.ts'
import { askFirst } from './questions/questions.ts'
import { checkSize, isBlock } from './tool-result.ts'
import { refuse } from './visibility.ts'

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

/** Fills in one prompt and prints the members of its result (server/prompts, "Getting a Prompt"). */
function getPrompt(
  call: Call,
  load: () => Promise<{ readonly default: Prompt }>,
  settings: CallSettings,
): Promise<Outcome> {
  const { name, exchange } = call
  return attempt(`prompts/get ${name}`, exchange, async (signal) => {
    const { default: prompt } = await load()
    const checked = await prompt.checkInput(call.input)
    if (!checked.ok) {
      const why = `${name} cannot be filled in. ${checked.problems.join(' ')}`
      return fail({ kind: 'invalid-params', why })
    }
    const { definition } = prompt
    const sanitizer = settings.openSanitizer(exchange.env)
    const working = { ...toWorking(call, sanitizer, signal), input: checked.value }
    return askFirst(
      call,
      settings,
      definition.ask && ((deciding) => definition.ask?.({ ...working, ...deciding })),
      async (answers) => {
        const returned = await definition.messages({ ...working, answers })
        const messages = toPromptMessages(name, returned).map((message) =>
          sanitizeMessage(message, sanitizer),
        )
        const members = toMembers({ description: definition.description, messages })
        return { kind: 'result', members: checkSize(name, members, settings.maxResultBytes) }
      },
    )
  })
}

/**
 * Converts what a prompt returned to the messages of the wire, which have one content each: a message
 * with several becomes several of the same role (server/prompts, "PromptMessage").
 *
 * @throws {TypeError} for what only an untyped author would return.
 */
function toPromptMessages(name: string, returned: unknown): readonly PromptMessage[] {
  const messages: readonly unknown[] = Array.isArray(returned) ? returned : [returned]
  return messages.flatMap((message) => {
    const spoken = typeof message === 'string' ? { role: 'user', content: message } : message
    const { role, content } = isJsonObject(spoken) ? spoken : {}
    if (role !== 'user' && role !== 'assistant') throw unreadable(name)
    const blocks: readonly unknown[] = Array.isArray(content) ? content : [content]
    return blocks.map((block) => ({ role, content: toContent(name, block) }))
  })
}

function toContent(name: string, block: unknown): Content {
  if (typeof block === 'string') return { type: 'text', text: block }
  if (!isBlock(block)) throw unreadable(name)
  return block
}

function unreadable(name: string): TypeError {
  return new TypeError(
    `${name} returned a message that is neither text nor { role, content } with the role "user" or ` +
      '"assistant" and content made of text and content blocks.',
  )
}

/** Reads arguments as prompts and completions have them: an object of strings, or else `null`. */
export function readTexts(value: unknown): Readonly<Record<string, string>> | null {
  if (!isJsonObject(value)) return null
  return isTexts(value) ? value : null
}

function isTexts(value: object): value is Readonly<Record<string, string>> {
  return Object.values(value).every((text) => typeof text === 'string')
}
