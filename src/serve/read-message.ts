import type { Call } from '../mcp/call.ts'
import { type JsonObject, isJsonObject } from '../protocol/json.ts'
import type { Message, RequestId } from '../protocol/message.ts'
import { type FinalOutcome, type HttpOutcome, fail } from '../protocol/outcome.ts'
import { isJsonContentType, readAccept } from './media-types.ts'
import { readBody } from './read-body.ts'
import { readJson } from './read-json.ts'

/** The reply to a notification. MCP has none from clients that need an action. */
const accepted: HttpOutcome = {
  kind: 'http',
  status: 202,
  headers: { 'Cache-Control': 'no-store' },
  body: null,
}

/**
 * Reads the JSON-RPC message of a call (basic/transports/streamable-http, "Sending Messages"). The
 * headers are checked first, so that no body is read if they are refused.
 */
export async function readMessage(call: Call): Promise<FinalOutcome | HttpOutcome | null> {
  const { headers, request } = call
  const contentType = headers.get('Content-Type') ?? 'missing'
  if (!isJsonContentType(contentType)) return fail({ kind: 'unsupported-media-type', contentType })
  const accept = headers.get('Accept') || '*/*'
  const reply = readAccept(accept)
  if (reply === null) return fail({ kind: 'not-acceptable', accept })
  call.accepted = reply

  const text = request === null ? '' : await readBody(request)
  if (typeof text !== 'string') return text
  const json = readJson(text)
  if (json.kind === 'failure') return json
  const message = readJsonRpc(json.value)
  call.id = message.kind === 'notification' ? undefined : message.id
  if (message.kind === 'invalid') return fail({ kind: 'invalid-request', why: message.why })
  call.method = message.method
  call.params = message.params
  return message.kind === 'notification' ? accepted : null
}

interface InvalidMessage {
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
function readId({ id }: JsonObject): RequestId | undefined | null {
  if (id === undefined || typeof id === 'string') return id
  // a larger number would be changed in the reply
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : null
}

function invalid(why: string, id?: RequestId): InvalidMessage {
  return { kind: 'invalid', why, id }
}
