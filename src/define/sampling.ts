import type { Content } from '../protocol/content.ts'
import type {
  CreateMessageParams,
  SamplingContent,
  SamplingMessage,
  ToolResultContent,
  ToolUseContent,
} from '../protocol/input-request.ts'
import { type JsonObject, isJsonObject } from '../protocol/json.ts'
import { readContentBlock } from '../protocol/read-content.ts'
import type { AskedQuestion } from './question.ts'

/** The message that the client's model wrote, in one or more blocks. */
export interface Sampled {
  readonly role: 'user' | 'assistant'
  readonly content: readonly SamplingContent[]
  /** The name of the model, according to the client. */
  readonly model: string
  /** Such as `endTurn`, `maxTokens` or `toolUse`, if the client sends it. */
  readonly stopReason?: string
}

/**
 * Asks the client's model to write a message. The user may change both the request and the message,
 * so do not trust the answer more than an argument. With `tools` the answer may ask for calls of them:
 * ask again, with their results. The specification's page is client/sampling.
 *
 * @throws {TypeError} for results of tools that do not belong to the message before.
 * @deprecated The protocol deprecates sampling (SEP-2577): call a model's own API instead.
 */
export function sample(params: CreateMessageParams): AskedQuestion<Sampled> {
  checkToolMessages(params.messages)
  const { tools, toolChoice, includeContext = 'none' } = params
  return {
    request: { method: 'sampling/createMessage', params },
    capability: 'sample',
    needs: [
      ...(tools === undefined && toolChoice === undefined ? [] : (['sampleTools'] as const)),
      ...(includeContext === 'none' ? [] : (['sampleContext'] as const)),
    ],
    unasked: 'ignore',
    read(response) {
      const answer = readSampled(response)
      // a model without tools cannot ask for one
      const isFitting =
        tools !== undefined || answer?.content.every(({ type }) => type !== 'tool_use')
      if (isFitting !== true) return { kind: 'invalid' }
      return answer === null ? { kind: 'invalid' } : { kind: 'answered', answer }
    },
  }
}

/**
 * Checks that the results of tools follow the message that asked for them, each once and with nothing
 * else (client/sampling, "Message Content Constraints"): models refuse any other order.
 */
function checkToolMessages(messages: readonly SamplingMessage[]): void {
  let asked: readonly string[] = []
  for (const { role, content } of messages) {
    const blocks = [content].flat()
    const results = blocks.flatMap((block) =>
      block.type === 'tool_result' ? [block.toolUseId] : [],
    )
    if (results.length > 0 && (role !== 'user' || results.length < blocks.length)) {
      throw new TypeError(
        'sample() received tool results beside other content. Send them in a user message of their own.',
      )
    }
    if (asked.toSorted().join('\n') !== results.toSorted().join('\n')) {
      throw new TypeError(
        `sample() received ${toIds(results, 'results')} after a message with ${toIds(asked, 'tool uses')}. ` +
          'Each tool use needs one result, in the next message.',
      )
    }
    asked = blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))
  }
  if (asked.length === 0) return
  throw new TypeError(
    `sample() received ${toIds(asked, 'tool uses')} without results. Add a user message with a result for each.`,
  )
}

function toIds(ids: readonly string[], what: string): string {
  return ids.length === 0 ? `no ${what}` : `the ${what} ${ids.join(', ')}`
}

function readSampled(response: unknown): Sampled | null {
  if (!isJsonObject(response)) return null
  const { role, content, model, stopReason } = response
  if (role !== 'user' && role !== 'assistant') return null
  if (typeof model !== 'string') return null
  const blocks = [content].flat().map(readBlock)
  if (!blocks.every((block) => block !== null)) return null
  const sampled: Sampled = { role, content: blocks, model }
  return typeof stopReason === 'string' ? { ...sampled, stopReason } : sampled
}

function readBlock(block: unknown): SamplingContent | null {
  if (!isJsonObject(block)) return null
  const { type, text, data, mimeType } = block
  switch (type) {
    case 'text':
      return typeof text === 'string' ? { type, text } : null
    case 'image':
    case 'audio':
      return typeof data === 'string' && typeof mimeType === 'string'
        ? { type, data, mimeType }
        : null
    case 'tool_use':
      return readToolUse(block)
    case 'tool_result':
      return readToolResult(block)
    default:
      return null
  }
}

function readToolUse({ id, name, input, _meta }: JsonObject): ToolUseContent | null {
  if (typeof id !== 'string' || typeof name !== 'string' || !isJsonObject(input)) return null
  return { type: 'tool_use', id, name, input, ...(isJsonObject(_meta) && { _meta }) }
}

function readToolResult(block: JsonObject): ToolResultContent | null {
  const { toolUseId, content, structuredContent, isError, _meta } = block
  if (typeof toolUseId !== 'string') return null
  const blocks = readToolContent(content)
  if (blocks === null) return null
  return {
    type: 'tool_result',
    toolUseId,
    content: blocks,
    ...(structuredContent !== undefined && { structuredContent }),
    ...(typeof isError === 'boolean' && { isError }),
    ...(isJsonObject(_meta) && { _meta }),
  }
}

function readToolContent(content: unknown): readonly Content[] | null {
  if (!Array.isArray(content)) return null
  try {
    return content.map((block, index) => readContentBlock(block, `content[${index}]`))
  } catch {
    return null
  }
}

/** A folder or file that the user works with. */
export interface Root {
  /** A `file://` URI. */
  readonly uri: string
  readonly name?: string
}

/**
 * Asks for the folders that the user works with. They are a hint, not a permission. The
 * specification's page is client/roots.
 *
 * @deprecated The protocol deprecates roots (SEP-2577): take folders as arguments instead.
 */
export function roots(): AskedQuestion<readonly Root[]> {
  return {
    request: { method: 'roots/list' },
    capability: 'roots',
    unasked: 'ignore',
    read(response) {
      const answer = readRoots(response)
      return answer === null ? { kind: 'invalid' } : { kind: 'answered', answer }
    },
  }
}

function readRoots(response: unknown): readonly Root[] | null {
  if (!isJsonObject(response) || !Array.isArray(response['roots'])) return null
  const roots = response['roots'].map(readRoot)
  return roots.every((root) => root !== null) ? roots : null
}

function readRoot(root: unknown): Root | null {
  if (!isJsonObject(root)) return null
  const { uri, name } = root
  if (typeof uri !== 'string' || !uri.startsWith('file://') || !URL.canParse(uri)) return null
  return typeof name === 'string' ? { uri, name } : { uri }
}
