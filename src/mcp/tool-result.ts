import { Reply } from '../define/reply.ts'
import type { Tool } from '../define/tool.ts'
import type { Sanitizer } from '../out/sanitizer.ts'
import type { Content } from '../protocol/content.ts'
import { findJsonLoss, isJsonObject, isPlain, toExactJson } from '../protocol/json.ts'
import type { ResultOutcome } from '../protocol/outcome.ts'
import { hasContentType, readContentBlock } from '../protocol/read-content.ts'
import type { Check, Checked } from '../schema/check.ts'
import { mapSync } from '../util/microtasks.ts'
import { cutText } from './result-size.ts'

export interface ResultSettings {
  readonly name: string
  readonly sanitizer: Sanitizer
  readonly maxBytes: number
}

/**
 * Serializes the return value of a tool, within the maximum size of a result (server/tools, "Tool
 * Result").
 *
 * @throws {TypeError} when the value does not match the tool's output schema, or JSON cannot
 *   represent it.
 */
export function serializeResult(
  tool: Tool,
  returned: unknown,
  settings: ResultSettings,
): ResultOutcome | Promise<ResultOutcome> {
  if (tool.checkOutput === null) return toBounded(serializeContent(returned, settings), settings)
  const { checkOutput } = tool
  const { value, content } = splitReply(returned)
  const blocks = content.length === 0 ? noBlocks : readBlocks(content)
  return mapSync(checkValue(checkOutput, value, settings), (checked) => {
    const exact = toExactJson(`${settings.name} returned a value`, toValid(settings.name, checked))
    const json = settings.sanitizer.value(exact)
    const result = (): ResultOutcome | Promise<ResultOutcome> =>
      toBounded(serializeStructured(json, blocks, settings), settings)
    return json === exact ? result() : recheck(checkOutput, value, exact, settings).then(result)
  })
}

const noBlocks: readonly Content[] = []

/** A value that contains itself makes a check fail that would not end, with no useful message. */
function checkValue(
  check: Check,
  value: unknown,
  { name }: ResultSettings,
): Checked | Promise<Checked> {
  try {
    const checking = check(value)
    // where a check throws, zod tries again asynchronously
    return checking instanceof Promise
      ? checking.catch((error: unknown) => throwLoss(name, value, error))
      : checking
  } catch (error) {
    return throwLoss(name, value, error)
  }
}

function throwLoss(name: string, value: unknown, error: unknown): never {
  const loss = findJsonLoss(value)
  if (loss === null) throw error
  throw new TypeError(`${name} returned a value that JSON cannot represent: the value${loss}`)
}

/**
 * Reads content blocks, as the specification's schema has them.
 *
 * @throws {TypeError} that names the block and its member.
 */
function readBlocks(blocks: readonly unknown[]): readonly Content[] {
  // not map, which skips holes, and JSON prints them as null
  return Array.from(blocks, (block, index) => readContentBlock(block, `content[${index}]`))
}

function toValid(name: string, checked: Checked): unknown {
  if (checked.ok) return checked.value
  throw new TypeError(
    `${name} returned a value that does not match its output schema: ${checked.problems.join(' ')}`,
  )
}

/**
 * Checks a value whose texts were sanitized, because clients check it too: `[secret]` may break a pattern.
 *
 * @throws {TypeError} with the names in `env` whose values were masked, and never with a value.
 */
async function recheck(
  checkOutput: Check,
  value: unknown,
  exact: string,
  { name, sanitizer }: ResultSettings,
): Promise<void> {
  const checked = await checkOutput(cleanValue(value, sanitizer))
  if (checked.ok) return
  const names = sanitizer.findNames(exact)
  const why =
    names.length === 0
      ? 'after hidden characters were removed'
      : `after secrets were masked (in \`env\`: ${names.join(', ')})`
  throw new TypeError(
    `${name} returned a value that does not match its output schema ${why}: ${checked.problems.join(' ')}`,
  )
}

/** Sanitizes the texts and keys of plain objects and arrays, before a schema converts the value. */
function cleanValue(value: unknown, sanitizer: Sanitizer): unknown {
  if (typeof value === 'string') return JSON.parse(sanitizer.value(JSON.stringify(value)))
  if (Array.isArray(value)) return value.map((item) => cleanValue(item, sanitizer))
  // such as a Date, which the schema converts
  if (!isJsonObject(value) || !isPlain(value)) return value
  const entries = Object.entries(value).map(([key, member]) => {
    const cleaned: object = JSON.parse(sanitizer.value(JSON.stringify({ [key]: null })))
    return [Object.keys(cleaned)[0] ?? key, cleanValue(member, sanitizer)]
  })
  return Object.fromEntries(entries)
}

/** Returns the `isError` result with a sentence for the model (server/tools, "Error Handling"). */
export function toErrorResult(why: string, { sanitizer, maxBytes }: ResultSettings): ResultOutcome {
  // sanitized before it is cut, because half a secret is not masked
  const text = JSON.stringify(cutText(sanitizer.text(why), maxBytes))
  return toClean(`"content":[{"type":"text","text":${text}}],"isError":true`)
}

/** Serializes the return value of a tool without an output schema. */
function serializeContent(
  returned: unknown,
  { name, sanitizer, maxBytes }: ResultSettings,
): string {
  if (typeof returned === 'string') {
    const text = JSON.stringify(cutText(sanitizer.text(returned), maxBytes))
    return `"content":[{"type":"text","text":${text}}]`
  }
  const blocks: readonly unknown[] = Array.isArray(returned) ? returned : [returned]
  if (blocks.every(hasContentType)) {
    return `"content":${serializeBlocks(readBlocks(blocks), sanitizer)}`
  }
  throw new TypeError(`${name} has no output schema, so it must return text or content.`)
}

/**
 * Serializes a structured value. Clients that do not read `structuredContent` get the same JSON as text,
 * unless the author's own text takes its place (server/tools, "Structured Content").
 */
function serializeStructured(
  json: string,
  content: readonly Content[],
  { sanitizer }: ResultSettings,
): string {
  const own = content.length === 0 ? '[]' : serializeBlocks(content, sanitizer)
  if (content.some(({ type }) => type === 'text')) {
    return `"content":${own},"structuredContent":${json}`
  }
  // the JSON is sanitized, and its copy must stay the same
  const copy = `{"type":"text","text":${JSON.stringify(json)}}`
  const blocks = own === '[]' ? `[${copy}]` : `[${copy},${own.slice(1)}`
  return `"content":${blocks},"structuredContent":${json}`
}

function serializeBlocks(blocks: readonly Content[], sanitizer: Sanitizer): string {
  return sanitizer.json(JSON.stringify(blocks.map((block) => cleanTexts(block, sanitizer))))
}

/** Applies a tool's `sanitize` option to the readable texts of a block. */
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

function splitReply(returned: unknown): { value: unknown; content: readonly unknown[] } {
  return returned instanceof Reply
    ? { value: returned.value, content: returned.content }
    : { value: returned, content: [] }
}

/**
 * Converts a result that is too large to an `isError` result that says so: JSON that is cut does
 * not parse, and a model that learns the sizes can ask for less.
 */
function toBounded(members: string, settings: ResultSettings): ResultOutcome {
  const { name, maxBytes } = settings
  // a UTF-16 unit is at most three bytes of UTF-8, so most results need not be counted
  if (members.length * 3 <= maxBytes) return toClean(members)
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
