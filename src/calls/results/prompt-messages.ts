import type { Content } from '../../wire/content.ts'
import { isJsonObject } from '../../wire/json.ts'
import type { PromptMessage } from '../../wire/prompt-message.ts'
import { isBlock } from './tool-result.ts'

/**
 * Converts what a prompt returned to the messages of the wire, which have one content each: a message
 * with several becomes several of the same role (server/prompts, "PromptMessage").
 *
 * @throws {TypeError} for what only an untyped author would return.
 */
export function toPromptMessages(name: string, returned: unknown): readonly PromptMessage[] {
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
