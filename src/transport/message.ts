import { isJsonObject, type JsonObject } from '../wire/json.ts'
import type { Message, RequestId } from '../wire/message.ts'
import { refuse, type Refusal } from './answer.ts'

/**
 * Reads one JSON-RPC request or notification (basic/index, "Messages"). What is neither, batches
 * and posted responses included, is refused under its id where that can be read.
 */
export function readMessage(value: unknown): Message | Refusal {
  if (Array.isArray(value)) {
    return invalid('batches are not part of MCP. Send every message in a POST of its own.')
  }
  if (!isJsonObject(value)) return invalid('the body is not a JSON object.')

  const id = readId(value)
  if (id === null) return invalid('`id` must be a string or an integer below 2^53.')
  const { method, params = {} } = value
  if (value.jsonrpc !== '2.0') return invalid('`jsonrpc` must be "2.0".', id)
  if ('result' in value || 'error' in value) {
    return invalid('this server sends no requests, so it takes no responses.', id)
  }
  if (typeof method !== 'string' || method === '') {
    return invalid('`method` must be a string that is not empty.', id)
  }
  if (!isJsonObject(params)) return invalid('`params` must be an object.', id)

  return id === undefined
    ? { kind: 'notification', method, params }
    : { kind: 'request', id, method, params }
}

/** The id of a message, `undefined` where it has none, or `null` where it is no id at all. */
function readId({ id }: JsonObject): RequestId | undefined | null {
  if (id === undefined || typeof id === 'string') return id
  // a number past 2^53 would come back as another one
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : null
}

function invalid(why: string, id?: RequestId): Refusal {
  return refuse({ kind: 'invalid-request', why }, id)
}
