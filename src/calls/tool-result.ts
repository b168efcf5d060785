import { Reply } from '../define/reply.ts'
import { isJsonObject } from '../wire/json.ts'
import type { Content } from '../wire/content.ts'

/** The members of an `isError` result: what happened, in words for a model (server/tools). */
export function toErrorMembers(text: string): string {
  return `"content":[{"type":"text","text":${JSON.stringify(text)}}],"isError":true`
}

/** The members of a result without a structured value. */
export function toContentMembers(returned: string | Content | readonly Content[]): string {
  const content =
    typeof returned === 'string' ? [{ type: 'text', text: returned }] : [returned].flat()
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

const contentTypes: ReadonlySet<unknown> = new Set([
  'text',
  'image',
  'audio',
  'resource_link',
  'resource',
])

/** Tells what a tool without `output` may return from what only an untyped author would. */
export function isContent(value: unknown): value is string | Content | readonly Content[] {
  if (typeof value === 'string') return true
  if (Array.isArray(value)) return value.every(isBlock)
  return isBlock(value)
}

/** Tells one content block from anything else. */
export function isBlock(value: unknown): value is Content {
  return isJsonObject(value) && contentTypes.has(value['type'])
}
