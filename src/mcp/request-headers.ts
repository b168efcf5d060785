import type { ParamHeader } from '../define/registry.ts'
import { type JsonObject, isJsonObject } from '../protocol/json.ts'
import { readBase64 } from '../util/bytes.ts'
import { excerpt, maxRepeated } from '../util/excerpt.ts'

/** The parts of a request's body that the standard headers repeat. */
interface MirroredBody {
  readonly version: string
  readonly method: string
  readonly params: JsonObject
}

/**
 * The parameter that the header `Mcp-Name` repeats, by method (streamable-http, "Standard Request
 * Headers").
 */
const nameSource: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
])

/**
 * Compares `MCP-Protocol-Version`, `Mcp-Method` and `Mcp-Name` with the body, and returns the first
 * difference. A proxy may have relied on either (basic/transports/streamable-http, "Server
 * Validation").
 */
export function findHeaderMismatch(
  { version, method, params }: MirroredBody,
  headers: Headers,
): string | null {
  return (
    findVersionMismatch(version, headers.get('MCP-Protocol-Version')) ??
    findMismatch('Mcp-Method', headers.get('Mcp-Method'), method) ??
    findNameMismatch(method, params, headers)
  )
}

const shown = maxRepeated / 2
/**
 * Some clients and proxies send the version twice, and HTTP joins the two (RFC 9110, 5.3). Only the
 * version may be repeated: a gateway that refuses `Mcp-Method: x` may let `x, x` pass.
 */
function findVersionMismatch(version: string, header: string | null): string | null {
  const why = findMismatch('MCP-Protocol-Version', header, version)
  if (why === null || header === null) return why
  return header.split(',').every((one) => one.trim() === version) ? null : why
}

function findMismatch(name: string, header: string | null, body: unknown): string | null {
  if (header === null) return `${name} is missing`
  if (header === body) return null
  const inBody = JSON.stringify(body) ?? 'nothing'
  return `${name} is "${excerpt(header, shown)}", but the body says ${excerpt(inBody, shown)}`
}

function findNameMismatch(method: string, params: JsonObject, headers: Headers): string | null {
  const source = nameSource.get(method)
  if (source === undefined) return null
  const raw = headers.get('Mcp-Name')
  const header = raw === null ? null : readHeaderValue(raw)
  if (raw !== null && header === null) return 'Mcp-Name is not a valid header value'
  return findMismatch('Mcp-Name', header, params[source])
}

const prefix = '=?base64?'
const suffix = '?='
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Returns the value of an `Mcp-Name` or `Mcp-Param-*` header, decoded if it is Base64; `null` for
 * invalid characters or invalid Base64 (basic/transports/streamable-http, "Value Encoding").
 */
export function readHeaderValue(header: string): string | null {
  if (!/^[\t\x20-\x7E]*$/.test(header)) return null
  const encoded = header.length >= prefix.length + suffix.length && isEncoded(header)
  return encoded ? decode(header.slice(prefix.length, -suffix.length)) : header
}

function isEncoded(header: string): boolean {
  return header.startsWith(prefix) && header.endsWith(suffix)
}

function decode(base64: string): string | null {
  const bytes = readBase64(base64)
  if (bytes === null) return null
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}

/**
 * Compares the `Mcp-Param-*` headers of a call with its arguments, and returns the first
 * difference. A proxy may have decided by the header, so a caller could bypass it with another
 * argument (basic/transports/streamable-http, "Server Behavior for Custom Headers").
 */
export function findParamMismatch(
  declared: readonly ParamHeader[],
  headers: Headers,
  input: JsonObject,
): string | null {
  for (const { name, path } of declared) {
    const raw = headers.get(`Mcp-Param-${name}`)
    const why = compare(raw, valueAt(input, path))
    if (why !== null) return `Mcp-Param-${name} ${why} (argument ${path.join('.')})`
  }
  return null
}

function valueAt(input: JsonObject, path: readonly string[]): unknown {
  let value: unknown = input
  for (const key of path) {
    if (!isJsonObject(value) || !Object.hasOwn(value, key)) return undefined
    value = value[key]
  }
  return value
}

function compare(raw: string | null, value: unknown): string | null {
  if (value === undefined || value === null) {
    return raw === null ? null : 'is present, but the body has no value for it'
  }
  // no header can repeat an object or array: the tool's schema refuses it with a better explanation
  if (typeof value === 'object') return raw === null ? null : 'does not match the body'
  if (raw === null) return 'is missing, but the body has a value for it'
  const header = readHeaderValue(raw)
  if (header === null) return 'is not a valid header value'
  return matches(header, value) ? null : 'does not match the body'
}

const decimal = /^-?\d+(?:\.\d+)?$/

function matches(header: string, value: unknown): boolean {
  // compared as numbers, because 42.0 equals 42; beyond the safe range two different numbers may be
  // equal
  if (typeof value === 'number') {
    return decimal.test(header) && Number(header) === value && isExact(value)
  }
  return header === String(value)
}

function isExact(value: number): boolean {
  return !Number.isInteger(value) || Number.isSafeInteger(value)
}
