import type { CreateMessageParams, SamplingContent } from '../protocol/input-request.ts'
import { isJsonObject } from '../protocol/json.ts'
import type { AskedQuestion } from './question.ts'

/** The message that the client's model wrote, in one or more blocks. */
export interface Sampled {
  readonly role: 'user' | 'assistant'
  readonly content: readonly SamplingContent[]
  /** The name of the model, according to the client. */
  readonly model: string
  /** Such as `endTurn` or `maxTokens`, if the client sends it. */
  readonly stopReason?: string
}

/**
 * Asks the client's model to write a message. The user may change both the request and the message,
 * so do not trust the answer more than an argument. The specification's page is client/sampling.
 *
 * @deprecated The protocol deprecates sampling (SEP-2577): call a model's own API instead.
 */
export function sample(params: CreateMessageParams): AskedQuestion<Sampled> {
  return {
    request: { method: 'sampling/createMessage', params },
    capability: 'sample',
    unasked: 'ignore',
    read(response) {
      const answer = readSampled(response)
      return answer === null ? { kind: 'invalid' } : { kind: 'answered', answer }
    },
  }
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
  if (type === 'text') return typeof text === 'string' ? { type, text } : null
  if (type !== 'image' && type !== 'audio') return null
  if (typeof data !== 'string' || typeof mimeType !== 'string') return null
  return { type, data, mimeType }
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
