import { Reply, ToolError } from '../define/reply.ts'
import type { Tool } from '../define/tool.ts'
import { type Sanitizer, sanitizeBlock } from '../out/sanitizer.ts'
import type { Content } from '../protocol/content.ts'
import { isJsonObject } from '../protocol/json.ts'
import type { Checked } from '../schema/check.ts'
import { follow } from '../util/microtasks.ts'

/**
 * Prints what a tool returned as the members of its result, within the size that a result may have
 * (server/tools, "Tool Result").
 *
 * @throws {TypeError} when the value is unlike the tool's output schema, or no JSON.
 */
export function printReturned(
  name: string,
  tool: Tool,
  returned: unknown,
  sanitizer: Sanitizer,
  maxBytes: number,
): string | Promise<string> {
  if (tool.checkOutput === null) {
    return toBounded(name, printFree(name, returned, sanitizer, maxBytes), maxBytes)
  }
  const { value, content } = splitReply(returned)
  return follow(tool.checkOutput(value), (checked) => {
    return toBounded(name, printChecked(name, checked, content, sanitizer), maxBytes)
  })
}

/** Prints what a tool without an output schema returned. */
function printFree(
  name: string,
  returned: unknown,
  sanitizer: Sanitizer,
  maxBytes: number,
): string {
  if (typeof returned === 'string') {
    return toContentMembers([{ type: 'text', text: cutText(sanitizer.text(returned), maxBytes) }])
  }
  if (isContent(returned)) {
    return toContentMembers([returned].flat().map((block) => sanitizeBlock(block, sanitizer)))
  }
  throw new TypeError(`${name} has no output schema, so it must return text or content.`)
}

function printChecked(
  name: string,
  checked: Checked,
  content: readonly Content[],
  sanitizer: Sanitizer,
): string {
  if (!checked.ok) {
    throw new TypeError(`${name} returned a value unlike its output: ${checked.problems.join(' ')}`)
  }
  const blocks = content.map((block) => sanitizeBlock(block, sanitizer))
  // before it is used twice: in the copy its escapes are doubled, and nobody would know them again
  return toStructuredMembers(sanitizer.json(toExactJson(name, checked.value)), blocks)
}

/** The members of an `isError` result: what happened, in words for a model (server/tools). */
export function toErrorMembers(text: string, maxBytes: number = Infinity): string {
  return `"content":[{"type":"text","text":${JSON.stringify(cutText(text, maxBytes))}}],"isError":true`
}

/** The members of a result without a structured value. */
function toContentMembers(content: readonly Content[]): string {
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
function splitReply(returned: unknown): { value: unknown; content: readonly Content[] } {
  return returned instanceof Reply
    ? { value: returned.value, content: returned.content }
    : { value: returned, content: [] }
}

/** Tells what a tool without `output` may return from what only an untyped author would. */
function isContent(value: unknown): value is Content | readonly Content[] {
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

/**
 * A result that is too long for the reply becomes an `isError` result that says so: JSON that is cut
 * short parses no more, and a model that is told the sizes can ask for less.
 */
export function toBounded(name: string, members: string, maxBytes: number): string {
  if (surelyFits(members, maxBytes)) return members
  const bytes = new TextEncoder().encode(members).byteLength
  if (bytes <= maxBytes) return members
  return toErrorMembers(
    `The result of ${name} has ${bytes} bytes; this server sends at most ${maxBytes}. ` +
      'Ask for less, such as fewer items or a narrower range.',
  )
}

/** Text stays useful when it is cut, so it is, with a note that a reader cannot miss. */
export function cutText(text: string, maxBytes: number): string {
  if (surelyFits(text, maxBytes)) return text
  const printed = new TextEncoder().encode(JSON.stringify(text)).byteLength
  if (printed <= maxBytes - noteRoom) return text
  const kept = Math.floor((text.length * (maxBytes - noteRoom)) / printed)
  // a cut between two surrogates would leave half a character
  const end = text.slice(0, kept).isWellFormed() ? kept : kept - 1
  return (
    `${text.slice(0, Math.max(end, 0))}\n[Cut here: ${end} of ${text.length} characters are shown, ` +
    `as this server sends at most ${maxBytes} bytes a result.]`
  )
}

/** Bytes kept free for the note and for what surrounds the text in its result. */
const noteRoom = 512

/** Tells at a glance that a text fits once it is printed as JSON. */
function surelyFits(text: string, maxBytes: number): boolean {
  // a UTF-16 unit is at most three bytes of UTF-8, or six as an escape: most results need no counting
  return text.length * 6 + noteRoom <= maxBytes
}

/**
 * Gives printed text back, unless it has more bytes of UTF-8 than one result may have.
 *
 * @throws {ToolError} which says so to whoever asked.
 */
export function checkSize(what: string, printed: string, maxBytes: number): string {
  // a UTF-16 unit is at most three bytes of UTF-8: most results need no counting
  if (printed.length * 3 <= maxBytes) return printed
  if (new TextEncoder().encode(printed).byteLength > maxBytes) throw tooLarge(what, maxBytes)
  return printed
}

/** The error for a result that is larger than one may be. */
export function tooLarge(what: string, maxBytes: number): ToolError {
  return new ToolError(
    `${what} has more than ${maxBytes} bytes, and this server sends no more in one result. ` +
      'Ask for a part of it, where it has parts.',
  )
}

/**
 * Prints a value as JSON that says the same: what JSON would turn into something else in silence, such
 * as NaN into null, would leave a result that its output schema does not allow (server/tools, "Output
 * Schema").
 *
 * @throws {TypeError} that says where such a value is.
 */
function toExactJson(name: string, value: unknown): string {
  const lost = findLost(value)
  if (lost !== null) {
    throw new TypeError(`${name} returned what JSON cannot carry: the value${lost}.`)
  }
  return JSON.stringify(value)
}

/** Where such a value is, below this one, and what; the path is put together on the way back. */
function findLost(value: unknown): string | null {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return null
    case 'number':
      return Number.isFinite(value) ? null : ` is ${value}`
    case 'object':
      return value === null ? null : findLostWithin(value)
    default:
      return ` is ${typeof value}`
  }
}

function findLostWithin(value: object): string | null {
  // what prints itself, such as a Date, says what it is on the wire
  if ('toJSON' in value && typeof value.toJSON === 'function') return null
  for (const [key, member] of Object.entries(value)) {
    // a member that is undefined is left out, which is what JSON makes of an optional one
    const isLeftOut = member === undefined && !Array.isArray(value)
    const lost = isLeftOut ? null : findLost(member)
    if (lost !== null) return `.${key}${lost}`
  }
  return null
}
