import type { AcceptedReply, Call } from '../mcp/call.ts'
import { type JsonObject, isJsonObject, isTextOrInteger } from '../protocol/json.ts'
import type { Message, RequestId } from '../protocol/message.ts'
import { metaKey, supportedVersions } from '../protocol/meta.ts'
import { type FinalOutcome, type HttpOutcome, fail } from '../protocol/outcome.ts'
import { readBody } from './read-body.ts'
import { readJson } from './read-json.ts'

/** The reply to a notification. Revision 2026-07-28 has none from clients that need an action. */
export const accepted: HttpOutcome = {
  kind: 'http',
  status: 202,
  headers: { 'Cache-Control': 'no-store' },
  body: null,
}

/**
 * Reads the JSON-RPC message of a call (basic/transports/streamable-http, "Sending Messages"). The
 * headers are checked first, so that no body is read if they are refused.
 */
export async function readMessage(
  call: Call,
): Promise<FinalOutcome | HttpOutcome | LegacyBody | null> {
  const { headers, request } = call
  const contentType = headers.get('Content-Type') ?? 'missing'
  if (!isJsonContentType(contentType)) return fail({ kind: 'unsupported-media-type', contentType })
  const encoding = headers.get('Content-Encoding')
  if (encoding !== null && !isIdentity(encoding)) {
    return fail({ kind: 'unsupported-encoding', encoding })
  }
  const accept = headers.get('Accept') || '*/*'
  const reply = readAccept(accept)
  if (reply === null) return fail({ kind: 'not-acceptable', accept })
  call.accepted = reply

  const text = request === null ? '' : await readBody(request)
  if (typeof text !== 'string') return text
  const json = readJson(text)
  if (json.kind === 'failure') return json
  if (isLegacy(call, json.value)) return { ...json, kind: 'legacy' }
  const message = readJsonRpc(json.value)
  call.id = message.kind === 'notification' ? undefined : message.id
  if (message.kind === 'invalid') return fail({ kind: 'invalid-request', why: message.why })
  call.method = message.method
  call.params = message.params
  if (message.kind === 'notification') return accepted
  return refuseInexact(call, json.inexact)
}

/** The body of a request from a client that begins with `initialize`. */
export interface LegacyBody {
  readonly kind: 'legacy'
  readonly value: unknown
  /** A sentence about a large number that parsing changed. */
  readonly inexact?: string
}

/**
 * Decides the era of a request: not by its method, because both have `tools/call` (basic/versioning,
 * "Compatibility Matrix").
 */
function isLegacy({ headers, settings }: Call, value: unknown): boolean {
  return !namesModernVersion(headers) && settings.legacy && !hasModernMeta(value)
}

export function namesModernVersion(headers: Headers): boolean {
  const version = headers.get('MCP-Protocol-Version')
  // some clients and proxies send the header twice
  return version !== null && supportedVersions.some((modern) => version.includes(modern))
}

export function hasModernMeta(value: unknown): boolean {
  const params = isJsonObject(value) ? value['params'] : null
  const meta = isJsonObject(params) ? params['_meta'] : null
  return isJsonObject(meta) && metaKey.protocolVersion in meta
}

/** A model can correct the arguments of a tool, so their refusal is left to the tool's work. */
export function refuseInexact(call: Call, why: string | undefined): FinalOutcome | null {
  if (why === undefined) return null
  call.inexact = why
  return call.method === 'tools/call' ? null : fail({ kind: 'invalid-params', why })
}

export interface InvalidMessage {
  readonly kind: 'invalid'
  readonly why: string
  readonly id: RequestId | undefined
}

/**
 * Reads one JSON-RPC request or notification (basic/index, "Messages"). Everything else is refused,
 * batches and posted responses included.
 */
export function readJsonRpc(value: unknown): Message | InvalidMessage {
  if (Array.isArray(value)) {
    return invalid('batches are not part of MCP. Send each message in its own POST.')
  }
  if (!isJsonObject(value)) return invalid('the body is not a JSON object.')

  const id = readId(value)
  if (id === null) return invalid('`id` must be a string or an integer below 2^53.')
  const { method, params = {} } = value
  if (value.jsonrpc !== '2.0') return invalid('`jsonrpc` must be "2.0".', id)
  if ('result' in value || 'error' in value) {
    return invalid('this server sends no requests, so it accepts no responses.', id)
  }
  if (typeof method !== 'string' || method === '') {
    return invalid('`method` must be a string that is not empty.', id)
  }
  if (!isJsonObject(params)) return invalid('`params` must be an object.', id)

  return id === undefined
    ? { kind: 'notification', method, params }
    : { kind: 'request', id, method, params }
}

/** Returns the id of a message; `undefined` if it has none, `null` if it is invalid. */
export function readId({ id }: JsonObject): RequestId | undefined | null {
  return id === undefined || isTextOrInteger(id) ? id : null
}

/** Returns the id of a request that was not read yet; `undefined` for anything else. */
export function findRequestId(value: unknown): RequestId | undefined {
  return isJsonObject(value) && 'method' in value ? (readId(value) ?? undefined) : undefined
}

export function invalid(why: string, id?: RequestId): InvalidMessage {
  return { kind: 'invalid', why, id }
}

/**
 * Returns whether a `Content-Type` is JSON in UTF-8, the only encoding of JSON between systems (RFC
 * 8259, 8.1). Parameters other than `charset` are ignored.
 */
export function isJsonContentType(contentType: string): boolean {
  if (contentType === 'application/json' || isJsonType(contentType)) return true
  // a proxy that adds the header again makes a list of it
  return contentType.includes(',') && contentType.split(',').every(isJsonType)
}

function isJsonType(contentType: string): boolean {
  const [type, ...parameters] = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  return type === 'application/json' && parameters.every(isHarmless)
}

/** Whether an `Accept` header lists streams, and not by a wildcard. */
export function listsEventStream(accept: string): boolean {
  return takes(accept.toLowerCase().split(',').map(readRange), ['text/event-stream'])
}

/** Whether a body is sent as it is. An encoding could expand a few bytes to any size. */
function isIdentity(contentEncoding: string): boolean {
  return /^(?:identity)?(?:\s*,\s*identity)*$/i.test(contentEncoding)
}

function isHarmless(parameter: string): boolean {
  return !parameter.startsWith('charset=') || /^charset="?utf-?8"?$/.test(parameter)
}

// the header that the specification requires, which nearly all clients send
const usual = 'application/json, text/event-stream'
const both: AcceptedReply = { reply: 'application/json', streams: true, allowsStream: true }

const weightless = /^q=0(?:\.0*)?$/

/**
 * Reads an `Accept` header; `null` if it accepts neither type. JSON is preferred: a reply without a
 * stream costs less. The specification requires clients to list both types, but many list one or
 * none, and are served as well.
 */
export function readAccept(accept: string): AcceptedReply | null {
  if (accept === usual) return both
  const ranges = accept.toLowerCase().split(',').map(readRange)
  const takesJson = takes(ranges, ['application/json', 'application/*', '*/*'])
  const allowsStream = takes(ranges, ['text/event-stream', 'text/*', '*/*'])
  if (!takesJson && !allowsStream) return null
  const streams = takes(ranges, ['text/event-stream', 'text/*'])
  return { reply: takesJson ? 'application/json' : 'text/event-stream', streams, allowsStream }
}

interface Range {
  readonly type: string
  readonly isRefused: boolean
}

function readRange(range: string): Range {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
  return { type, isRefused: parameters.some((parameter) => weightless.test(parameter)) }
}

// the most specific range decides: `application/json;q=0, */*` excludes JSON (RFC 9110, 12.5.1)
function takes(ranges: readonly Range[], fromSpecific: readonly string[]): boolean {
  for (const type of fromSpecific) {
    const range = ranges.find((range) => range.type === type)
    if (range !== undefined) return !range.isRefused
  }
  return false
}
