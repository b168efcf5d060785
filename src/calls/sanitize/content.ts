import type { BlobResourceContents, Content, TextResourceContents } from '../../wire/content.ts'
import type { PromptMessage } from '../../wire/prompt-message.ts'
import type { Sanitizer } from './sanitizer.ts'

/*
 * What of a content block is text for a reader. Images, audio and URIs are left alone: a link that is
 * changed leads elsewhere.
 */

/** Sanitises one content block. */
export function sanitizeBlock(block: Content, sanitizer: Sanitizer): Content {
  switch (block.type) {
    case 'text':
      return { ...block, text: sanitizer.text(block.text) }
    case 'resource':
      return { ...block, resource: sanitizeContents(block.resource, sanitizer) }
    case 'resource_link': {
      const { name, title, description } = block
      return {
        ...block,
        name: sanitizer.text(name),
        ...(title !== undefined && { title: sanitizer.text(title) }),
        ...(description !== undefined && { description: sanitizer.text(description) }),
      }
    }
    case 'image':
    case 'audio':
      return block
  }
}

/** Sanitises the contents of one resource. */
export function sanitizeContents<Contents extends TextResourceContents | BlobResourceContents>(
  contents: Contents,
  sanitizer: Sanitizer,
): Contents {
  return 'text' in contents ? { ...contents, text: sanitizer.text(contents.text) } : contents
}

/** Sanitises one message of a prompt. */
export function sanitizeMessage(message: PromptMessage, sanitizer: Sanitizer): PromptMessage {
  return { ...message, content: sanitizeBlock(message.content, sanitizer) }
}
