import type { Call } from '../mcp/call.ts'
import { cancelCall, watchCancellation } from '../mcp/legacy/cancellation.ts'
import { openLegacyEnvelope, openSession } from '../mcp/legacy/legacy-envelope.ts'
import { receiveAnswer } from '../mcp/legacy/question-id.ts'
import { findMethod } from '../mcp/methods.ts'
import { newestLegacy } from '../protocol/revisions/revisions.ts'
import { isJsonObject } from '../protocol/json.ts'
import type { Message, RequestMessage, ResponseMessage } from '../protocol/message.ts'
import { type Outcome, fail } from '../protocol/outcome.ts'
import {
  type InvalidMessage,
  type LegacyBody,
  accepted,
  findRequestId,
  invalid,
  readId,
  readJsonRpc,
  refuseInexact,
} from './read-message.ts'
import { serveBatch } from './batch.ts'
import { respond, respondInTime, toInternalFailure } from './respond.ts'

/**
 * Serves a POST of a client that begins with `initialize`: a request, a notification, a response to
 * a question, or at 2025-03-26 an array of them.
 */
export async function serveLegacy(call: Call, { value, inexact }: LegacyBody): Promise<Response> {
  // until the client's own is known: errors and the audit line are those of an earlier revision
  call.revision = newestLegacy
  call.id = findRequestId(value)
  // a client that begins again may still send its old session
  const begins = isJsonObject(value) && value['method'] === 'initialize'
  const refused = begins
    ? null
    : await openSession(call).catch((error: unknown) => toFault(call, error))
  if (refused !== null) return respond(call, refused)
  if (Array.isArray(value)) return serveBatch(call, value, inexact, serveSafely)
  return serveSafely(call, value, inexact)
}

/** Serves one message, whose fault must not end the others of a batch. */
async function serveSafely(call: Call, value: unknown, inexact?: string): Promise<Response> {
  try {
    return await serveMessage(call, value, inexact)
  } catch (error) {
    return respond(call, toFault(call, error))
  }
}

/** Only a request has a response: for anything else, status 200 would mean that it was accepted. */
function toFault(call: Call, error: unknown): Outcome {
  const failed = toInternalFailure(call, error)
  return call.id === undefined ? fail({ kind: 'document-failed', cause: failed.failure }) : failed
}

async function serveMessage(call: Call, value: unknown, inexact?: string): Promise<Response> {
  const message = readLegacyMessage(value)
  switch (message.kind) {
    case 'invalid':
      call.id = message.id
      return respond(call, fail({ kind: 'invalid-request', why: message.why }))
    case 'response':
      // it has no method, and the audit line needs one
      call.method = 'response'
      return respond(call, (await receiveAnswer(call, toExact(message, inexact))) ?? accepted)
    case 'notification':
      call.method = message.method
      call.params = message.params
      if (message.method === 'notifications/cancelled') cancelCall(call)
      return respond(call, accepted)
    case 'request':
      return serveRequest(call, message, inexact)
  }
}

async function serveRequest(
  call: Call,
  { id, method, params }: RequestMessage,
  inexact: string | undefined,
): Promise<Response> {
  call.id = id
  call.method = method
  call.params = params
  const refused = refuseInexact(call, inexact) ?? openLegacyEnvelope(call)
  if (refused !== null) return respond(call, refused)
  const handle = findMethod(call)
  if (handle === null) return respond(call, fail({ kind: 'unknown-method', method }))
  const answering = handle(call)
  if (answering instanceof Promise) await watchCancellation(call, answering)
  return respondInTime(call, answering)
}

/** Reads one message. Unlike revision 2026-07-28, earlier ones have responses of clients. */
function readLegacyMessage(value: unknown): Message | ResponseMessage | InvalidMessage {
  if (Array.isArray(value)) return invalid('a batch must not contain another batch.')
  if (!isJsonObject(value) || 'method' in value) return readJsonRpc(value)
  const { result, error } = value
  const isResponse = result !== undefined || error !== undefined
  if (value['jsonrpc'] !== '2.0' || !isResponse) return readJsonRpc(value)
  // with both, the client may have refused; some libraries add a null
  const isRefused = (error ?? null) !== null || result === undefined
  // without a valid id it is refused: no question has an empty one
  const id = readId(value) ?? ''
  return { kind: 'response', id, answer: isRefused ? { error } : { result } }
}

/** A number that parsing has changed is not the answer, and a user may be able to give another one. */
function toExact(message: ResponseMessage, inexact: string | undefined): ResponseMessage {
  return inexact === undefined ? message : { ...message, answer: { error: { message: inexact } } }
}
