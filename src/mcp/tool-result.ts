import { Reply } from '../define/reply.ts'
import type { Tool } from '../define/tool.ts'
import type { Sanitizer } from '../out/sanitizer.ts'
import { type Content, isContent } from '../protocol/content.ts'
import type { ResultOutcome } from '../protocol/outcome.ts'
import type { Checked } from '../schema/check.ts'
import { mapSync } from '../util/microtasks.ts'

/** How one tool's results are printed. */
export interface ResultSettings {
  /** The tool's name. */
  readonly name: string
  readonly sanitizer: Sanitizer
  /** Bytes of UTF-8 that one result may have. */
  readonly maxBytes: number
}

/**
 * Serializes what a tool returned as its result, within the size that a result may have (server/tools,
 * "Tool Result").
 *
 * @throws {TypeError} when the value does not match the tool's output schema, or JSON cannot carry it.
 */
export function serializeResult(
  tool: Tool,
  returned: unknown,
  settings: ResultSettings,
): ResultOutcome | Promise<ResultOutcome> {
  if (tool.checkOutput === null) return toBounded(serializeContent(returned, settings), settings)
  const { value, content } = splitReply(returned)
  return mapSync(tool.checkOutput(value), (checked) =>
    toBounded(serializeStructured(checked, content, settings), settings),
  )
}

/** The `isError` result that tells a model what happened (server/tools, "Error Handling"). */
export function toErrorResult(why: string, { sanitizer, maxBytes }: ResultSettings): ResultOutcome {
  // cleaned before it is cut: half a secret is not masked
  const text = JSON.stringify(cutText(sanitizer.text(why), maxBytes))
  return toClean(`"content":[{"type":"text","text":${text}}],"isError":true`)
}

/** Serializes what a tool without an output schema returned. */
function serializeContent(
  returned: unknown,
  { name, sanitizer, maxBytes }: ResultSettings,
): string {
  if (typeof returned === 'string') {
    const text = JSON.stringify(cutText(sanitizer.text(returned), maxBytes))
    return `"content":[{"type":"text","text":${text}}]`
  }
  if (isContent(returned)) return `"content":${serializeBlocks([returned].flat(), sanitizer)}`
  throw new TypeError(`${name} has no output schema, so it must return text or content.`)
}

/**
 * Serializes a structured value. Clients that do not read `structuredContent` get the same JSON as text,
 * unless the author's own text takes its place (server/tools, "Structured Content").
 */
function serializeStructured(
  checked: Checked,
  content: readonly Content[],
  { name, sanitizer }: ResultSettings,
): string {
  if (!checked.ok) {
    throw new TypeError(`${name} returned a value unlike its output: ${checked.problems.join(' ')}`)
  }
  // cleaned before it is used twice: in the copy its escapes are doubled, and would not be recognized
  const json = sanitizer.value(toExactJson(name, checked.value))
  const copy: Content[] = content.some(({ type }) => type === 'text')
    ? []
    : [{ type: 'text', text: json }]
  const blocks =
    content.length === 0 ? JSON.stringify(copy) : serializeBlocks([...copy, ...content], sanitizer)
  return `"content":${blocks},"structuredContent":${json}`
}

function serializeBlocks(blocks: readonly Content[], sanitizer: Sanitizer): string {
  return sanitizer.json(JSON.stringify(blocks.map((block) => cleanTexts(block, sanitizer))))
}

/** Applies a tool's own `sanitize` to what of a block is text for a reader. */
function cleanTexts(block: Content, { text }: Sanitizer): Content {
  switch (block.type) {
    case 'text':
      return { ...block, text: text(block.text) }
    case 'resource': {
      const { resource } = block
      return 'text' in resource
        ? { ...block, resource: { ...resource, text: text(resource.text) } }
        : block
    }
    case 'resource_link': {
      const { name, title, description } = block
      return {
        ...block,
        name: text(name),
        ...(title !== undefined && { title: text(title) }),
        ...(description !== undefined && { description: text(description) }),
      }
    }
    case 'image':
    case 'audio':
      return block
  }
}

/** Takes a tool's value and its content apart. */
function splitReply(returned: unknown): { value: unknown; content: readonly Content[] } {
  return returned instanceof Reply
    ? { value: returned.value, content: returned.content }
    : { value: returned, content: [] }
}

/**
 * A result that is too long for the reply becomes an `isError` result that says so: JSON that is cut
 * short does not parse, and a model that is told the sizes can ask for less.
 */
function toBounded(members: string, settings: ResultSettings): ResultOutcome {
  const { name, maxBytes } = settings
  if (surelyFits(members, maxBytes)) return toClean(members)
  const bytes = new TextEncoder().encode(members).byteLength
  if (bytes <= maxBytes) return toClean(members)
  const why =
    `The result of ${name} has ${bytes} bytes; this server sends at most ${maxBytes}. ` +
    'Ask for less, such as fewer items or a narrower range.'
  return toErrorResult(why, { ...settings, maxBytes: Infinity })
}

function toClean(members: string): ResultOutcome {
  return { kind: 'result', members, isClean: true }
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
