import { isJsonObject } from '../json.ts'
import { type Revision, mapMessages, mapObjects } from './revision.ts'

/**
 * Converts the members of a result, which are JSON text without the outer braces. Members that a
 * revision has are returned as the same text, and lists are not converted again: they are printed
 * for the revision.
 */
export function convertResult(method: string, members: string, revision: Revision): string {
  if (!revision.lacking.test(members)) return members
  switch (method) {
    case 'tools/call':
      return convertToolResult(members, revision)
    case 'prompts/get':
      return convertMember(members, 'messages', (messages) =>
        mapMessages(messages, revision.toBlock),
      )
    case 'resources/read':
      return convertMember(members, 'contents', (all) => mapObjects(all, revision.toContents))
    case 'resources/list':
      return convertMember(members, 'resources', (rows) =>
        mapObjects(rows, (row) => revision.toListed('resources', row)),
      )
    default:
      return members
  }
}

function convertMember(
  members: string,
  name: string,
  convert: (value: unknown) => unknown,
): string {
  const result: unknown = JSON.parse(`{${members}}`)
  if (!isJsonObject(result)) return members
  return JSON.stringify({ ...result, [name]: convert(result[name]) }).slice(1, -1)
}

/**
 * Converts the result of a tool. The text of a structured value is never parsed, so that its numbers
 * keep all of their digits.
 */
function convertToolResult(members: string, revision: Revision): string {
  const { others, value } = cutStructuredContent(members)
  const converted = revision.lacking.test(others)
    ? convertMember(others, 'content', (blocks) => mapObjects(blocks, revision.toBlock))
    : others
  if (value === null) return converted
  if (!revision.hasStructuredContent) return withTextCopy(converted, value)
  // before 2026-07-28 a structured value is an object; the listed schema is wrapped in the same way
  const structured = value.startsWith('{') ? value : `{"result":${value}}`
  return `${converted},"structuredContent":${structured}`
}

/**
 * Adds a structured value as text for clients that do not know `structuredContent`, unless the text
 * is there already. Without the copy an author's own text would be all that such a client receives.
 */
function withTextCopy(members: string, value: string): string {
  if (members.includes(`"text":${JSON.stringify(value)}`)) return members
  const copy = { type: 'text', text: value }
  return convertMember(members, 'content', (blocks) => [blocks, copy].flat())
}

interface CutResult {
  /** The members of the result without its structured content. */
  readonly others: string
  /** The text of the structured content; `null` if there is none. */
  readonly value: string | null
}

const name = '"structuredContent":'

/** Cuts the structured content out of a result, of which it is the last member. */
function cutStructuredContent(members: string): CutResult {
  let depth = 0
  for (let at = 0; at < members.length; at++) {
    switch (members[at]) {
      case '{':
      case '[':
        depth++
        break
      case '}':
      case ']':
        depth--
        break
      case '"':
        if (depth === 0 && members.startsWith(name, at)) {
          const others = members.slice(0, Math.max(at - 1, 0))
          return { others, value: members.slice(at + name.length) }
        }
        at = endOfString(members, at)
    }
  }
  return { others: members, value: null }
}

/** Returns where a string ends that begins at a quote. */
function endOfString(text: string, quote: number): number {
  let at = quote + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}
