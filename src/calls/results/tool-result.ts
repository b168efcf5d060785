import { Reply } from '../../define/reply.ts'
import { isJsonObject } from '../../wire/json.ts'
import type { Content } from '../../wire/content.ts'
import { cutText } from './cut-text.ts'

/** The members of an `isError` result: what happened, in words for a model (server/tools). */
export function toErrorMembers(text: string, maxBytes: number = Infinity): string {
  return `"content":[{"type":"text","text":${JSON.stringify(cutText(text, maxBytes))}}],"isError":true`
}

/** The members of a result without a structured value. */
export function toContentMembers(content: readonly Content[]): string {
  return `"content":${JSON.stringify(content)}`
}

/**
 * The members of a result with a structured value. Clients that do not read `structuredContent` get
 * the same JSON as text, unless the author's own text takes its place (server/tools, "Structured
 * Content"). The value is printed once and its text used twice.
 */
export function toStructuredMembers(json: string, content: readonly Content[]): string {
  const copy = content.some(({ type }) => type === 'text') ? [] : [{ type: 'text', text: json }]
  return `"content":${JSON.stringify([...copy, ...content])},"structuredContent":${json}`
}

/** Takes a tool's value and its content apart. */
export function splitReply(returned: unknown): { value: unknown; content: readonly Content[] } {
  return returned instanceof Reply
    ? { value: returned.value, content: returned.content }
    : { value: returned, content: [] }
}

/** Tells what a tool without `output` may return from what only an untyped author would. */
export function isContent(value: unknown): value is Content | readonly Content[] {
  return Array.isArray(value) ? value.every(isBlock) : isBlock(value)
}

/** Tells one content block from anything else. */
export function isBlock(value: unknown): value is Content {
  if (!isJsonObject(value)) return false
  switch (value['type']) {
    case 'text':
      return isText(value['text'])
    case 'image':
    case 'audio':
      return isText(value['data']) && isText(value['mimeType'])
    case 'resource_link':
      return isText(value['uri']) && isText(value['name'])
    case 'resource':
      return isContents(value['resource'])
    default:
      return false
  }
}

function isContents(value: unknown): boolean {
  return (
    isJsonObject(value) && isText(value['uri']) && (isText(value['text']) || isText(value['blob']))
  )
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
