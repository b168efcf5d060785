import type { ParamHeader } from '../schema/param-headers.ts'
import { isJsonObject, type JsonObject } from '../wire/json.ts'
import { readHeaderValue } from './header-value.ts'

/**
 * Compares the `Mcp-Param-*` headers of a call with its arguments and says what disagrees, or `null`.
 * A proxy may have decided by the header; a tool that then runs on another value would let a caller
 * walk around it (basic/transports/streamable-http, "Server Behavior for Custom Headers").
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
  // an object or array cannot be mirrored: it fails the tool's schema, which explains it better
  if (typeof value === 'object') return raw === null ? null : 'does not match the body'
  if (raw === null) return 'is missing, but the body has a value for it'
  const header = readHeaderValue(raw)
  if (header === null) return 'is not a valid header value'
  return matches(header, value) ? null : 'does not match the body'
}

const decimal = /^-?\d+(?:\.\d+)?$/

function matches(header: string, value: unknown): boolean {
  // numbers as numbers: 42.0 and 42 are the same. Beyond the safe range two different ones can look equal
  if (typeof value === 'number') {
    return decimal.test(header) && Number(header) === value && isExact(value)
  }
  return header === String(value)
}

function isExact(value: number): boolean {
  return !Number.isInteger(value) || Number.isSafeInteger(value)
}
