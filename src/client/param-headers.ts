import { type JsonObject, isJsonObject } from '../protocol/json.ts'

/** A parameter of a tool that the client repeats in a header. */
interface MirroredParam {
  /** The whole name of the header. */
  readonly header: string
  readonly path: readonly string[]
}

export type MirroredParams = readonly MirroredParam[]

const annotation = 'x-mcp-header'
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const mirrored: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean'])

/** Keywords whose value is data, or an object of schemas by names: `x-mcp-header` may be a name there. */
const dataKeywords: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples'])
const mapKeywords: ReadonlySet<string> = new Set(
  'properties patternProperties dependentSchemas $defs definitions'.split(' '),
)
/** Deeper annotations are not looked for: a schema may be made to overflow the stack. */
const maxDepth = 64

/**
 * Reads the `x-mcp-header` annotations of an input schema; `null` if one of them breaks a rule, for which
 * a client must not use the tool (basic/transports/streamable-http, "Schema Extension").
 */
export function readMirroredParams(inputSchema: JsonObject): MirroredParams | null {
  const found: MirroredParam[] = []
  const isValid = visit(inputSchema, [], 0, found)
  const names = new Set(found.map(({ header }) => header.toLowerCase()))
  return isValid && names.size === found.length ? found : null
}

/** @param path the properties that lead here; `null` if anything else is on the way. */
function visit(
  schema: unknown,
  path: readonly string[] | null,
  depth: number,
  found: MirroredParam[],
): boolean {
  if (depth > maxDepth) return true
  if (Array.isArray(schema)) return schema.every((each) => visit(each, null, depth + 1, found))
  if (!isJsonObject(schema)) return true
  return Object.entries(schema).every(([keyword, value]) => {
    if (keyword === annotation) return add(value, schema['type'], path, found)
    if (dataKeywords.has(keyword)) return true
    if (!mapKeywords.has(keyword) || !isJsonObject(value)) {
      return visit(value, null, depth + 1, found)
    }
    return Object.entries(value).every(([name, each]) => {
      const inner = keyword === 'properties' && path !== null ? [...path, name] : null
      return visit(each, inner, depth + 1, found)
    })
  })
}

function add(
  name: unknown,
  type: unknown,
  path: readonly string[] | null,
  found: MirroredParam[],
): boolean {
  if (typeof name !== 'string' || !token.test(name) || !mirrored.has(type)) return false
  if (path === null || path.length === 0) return false
  found.push({ header: `Mcp-Param-${name}`, path })
  return true
}

/** Sets the headers that repeat arguments. A value that no header can have is left to the server. */
export function setParamHeaders(headers: Headers, params: MirroredParams, args: JsonObject): void {
  for (const { header, path } of params) {
    const value = path.reduce(memberOf, args)
    const isPlain = typeof value === 'number' ? isExact(value) : typeof value === 'boolean'
    if (isPlain || typeof value === 'string') headers.set(header, toHeaderValue(String(value)))
  }
}

function memberOf(value: unknown, key: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
}

/** Visible ASCII, with spaces and tabs only inside. */
const plain = /^[\x21-\x7E](?:[\t\x20-\x7E]*[\x21-\x7E])?$/

/** Writes a text as the value of a header (basic/transports/streamable-http, "Value Encoding"). */
export function toHeaderValue(value: string): string {
  const looksEncoded = value.startsWith('=?base64?') && value.endsWith('?=')
  if (plain.test(value) && !looksEncoded) return value
  const bytes = Array.from(new TextEncoder().encode(value), (byte) => String.fromCharCode(byte))
  return `=?base64?${btoa(bytes.join(''))}?=`
}
