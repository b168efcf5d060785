import type { ParamHeader } from '../define/registry.ts'
import type { Failure } from '../protocol/failure.ts'
import { type JsonObject, isJsonObject } from '../protocol/json.ts'
import { type Outcome, fail } from '../protocol/outcome.ts'
import type { Call } from './call.ts'
import {
  type Envelope,
  isLogLevel,
  logLevels,
  metaKey,
  supportedVersions,
} from '../protocol/meta.ts'
import { readBase64 } from '../util/bytes.ts'

type EnvelopeRead =
  | { readonly ok: true; readonly envelope: Envelope }
  | { readonly ok: false; readonly failure: Failure }

/**
 * The parameter that the header `Mcp-Name` repeats, by method (streamable-http, "Standard Request
 * Headers").
 */
const nameSource: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
])

/** Reads the envelope of a call; an outcome ends the call. */
export function openEnvelope(call: Call): Outcome | null {
  const read = readEnvelope(call, call.headers)
  if (!read.ok) return fail(read.failure)
  call.envelope = read.envelope
  return null
}

/**
 * Reads the envelope of a request of revision 2026-07-28. Body and headers are compared before the
 * version is checked, because a proxy may have relied on either (basic/index, "_meta";
 * basic/transports/streamable-http, "Server Validation").
 */
export function readEnvelope(
  { method, params }: Pick<Call, 'method' | 'params'>,
  headers: Headers,
): EnvelopeRead {
  const meta = params['_meta']
  if (!isJsonObject(meta)) return malformed(`params._meta is missing. ${everyRequest}`)
  const version = meta[metaKey.protocolVersion]
  if (typeof version !== 'string')
    return malformed(wrongMember(metaKey.protocolVersion, 'a string'))
  const clientCapabilities = meta[metaKey.clientCapabilities]
  if (!isJsonObject(clientCapabilities)) {
    return malformed(wrongMember(metaKey.clientCapabilities, 'an object'))
  }
  const { progressToken, [metaKey.logLevel]: logLevel } = meta
  if (progressToken !== undefined && !isProgressToken(progressToken)) {
    return malformed('params._meta.progressToken must be a string or an integer.')
  }
  if (logLevel !== undefined && !isLogLevel(logLevel)) {
    return malformed(`params._meta["${metaKey.logLevel}"] must be one of ${logLevels.join(', ')}.`)
  }

  const mismatch =
    findMismatch('MCP-Protocol-Version', headers.get('MCP-Protocol-Version'), version) ??
    findMismatch('Mcp-Method', headers.get('Mcp-Method'), method) ??
    findNameMismatch(method, params, headers)
  if (mismatch !== null) {
    return { ok: false, failure: { kind: 'header-mismatch', why: mismatch } }
  }
  if (!supportedVersions.includes(version)) {
    const failure = {
      kind: 'unsupported-version',
      requested: version,
      supported: supportedVersions,
    } as const
    return { ok: false, failure }
  }
  const envelope = {
    clientCapabilities,
    ...(progressToken !== undefined && { progressToken }),
    ...(logLevel !== undefined && { logLevel }),
  }
  return { ok: true, envelope }
}

function isProgressToken(token: unknown): token is string | number {
  return typeof token === 'string' || Number.isSafeInteger(token)
}

const everyRequest = `This server speaks ${supportedVersions.join(', ')}, in which every request has it.`

function wrongMember(key: string, what: string): string {
  return `params._meta["${key}"] must be ${what}. ${everyRequest}`
}

function malformed(why: string): EnvelopeRead {
  return { ok: false, failure: { kind: 'malformed-params', why } }
}

function findMismatch(name: string, header: string | null, body: unknown): string | null {
  if (header === null) return `${name} is missing`
  if (header === body) return null
  return `${name} is "${header}", but the body says ${JSON.stringify(body) ?? 'nothing'}`
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
