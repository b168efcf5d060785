import type { Call } from '../mcp/call.ts'
import { openLegacyEnvelope, openSession } from '../mcp/legacy/legacy-envelope.ts'
import { findLegacyMethod } from '../mcp/legacy/legacy-methods.ts'
import { isJsonObject } from '../protocol/json.ts'
import type { Message, ResponseMessage } from '../protocol/message.ts'
import { type HttpOutcome, type Outcome, fail } from '../protocol/outcome.ts'
import {
  type InvalidMessage,
  type LegacyBody,
  accepted,
  readId,
  readJsonRpc,
  refuseInexact,
} from './read-message.ts'
import { respond, respondInTime } from './respond.ts'

/** The messages that one POST may have, which is more than any client sends. */
const maxBatch = 100

/**
 * Serves a POST of a client that begins with `initialize`: a request, a notification, a response to
 * a question, or at 2025-03-26 an array of them.
 */
export async function serveLegacy(call: Call, { value, inexact }: LegacyBody): Promise<Response> {
  // a client that begins again may still send its old session
  const isFirst = isJsonObject(value) && value['method'] === 'initialize'
  const refused = isFirst ? null : await openSession(call)
  if (refused !== null) return respond(call, withId(call, value, refused))
  if (Array.isArray(value)) return serveBatch(call, value, inexact)
  return serveMessage(call, value, inexact)
}

/** A failure of the session or the version has the id of the message that it ends. */
function withId(call: Call, value: unknown, outcome: Outcome): Outcome {
  const id = isJsonObject(value) && 'method' in value ? readId(value) : undefined
  call.id = id ?? undefined
  return outcome
}

async function serveMessage(call: Call, value: unknown, inexact?: string): Promise<Response> {
  const message = readLegacyMessage(value)
  switch (message.kind) {
    case 'invalid':
      call.id = message.id
      return respond(call, fail({ kind: 'invalid-request', why: message.why }))
    case 'response':
      return respond(call, await receiveResponse(call, message))
    case 'notification':
      call.method = message.method
      call.params = message.params
      return respond(call, await receiveNotification(call))
    case 'request': {
      const { id, method, params } = message
      Object.assign(call, { id, method, params })
      const refused =
        (inexact === undefined ? null : refuseInexact(call, inexact)) ?? openLegacyEnvelope(call)
      if (refused !== null) return respond(call, refused)
      const handle = findLegacyMethod(call)
      if (handle === null) return respond(call, fail({ kind: 'unknown-method', method }))
      return respondInTime(call, handle(call))
    }
  }
}

/** Reads one message. Unlike revision 2026-07-28, earlier ones have responses of clients. */
function readLegacyMessage(value: unknown): Message | ResponseMessage | InvalidMessage {
  if (!isJsonObject(value) || 'method' in value) return readJsonRpc(value)
  const id = readId(value)
  if (value['jsonrpc'] !== '2.0' || typeof id !== 'string') return readJsonRpc(value)
  if ('result' in value) return { kind: 'response', id, answer: { result: value['result'] } }
  if ('error' in value) return { kind: 'response', id, answer: { error: value['error'] } }
  return readJsonRpc(value)
}

/** Passes a response on to the call that asked. */
async function receiveResponse(
  _call: Call,
  _message: ResponseMessage,
): Promise<HttpOutcome | Outcome> {
  return fail({ kind: 'invalid-request', why: 'no question with this id is open.' })
}

async function receiveNotification(_call: Call): Promise<HttpOutcome> {
  return accepted
}

/**
 * Serves a batch (2025-03-26, basic/transports, "Sending Messages to the Server"). Each message is a
 * call of its own, with its own limit and audit line, and the responses are one array.
 */
async function serveBatch(
  call: Call,
  values: readonly unknown[],
  inexact?: string,
): Promise<Response> {
  const why = findBatchProblem(call, values)
  if (why !== null) return respond(call, fail({ kind: 'invalid-request', why }))
  const parts = await Promise.all(
    values.map(async (value, index) => {
      const part = call.toPart()
      const limited = index === 0 ? null : await countPart(part)
      if (limited !== null) return respond(part, withId(part, value, limited))
      return serveMessage(part, value, inexact)
    }),
  )
  const texts = await Promise.all(parts.map(async (part) => part.text()))
  const responses = texts.filter((text) => text !== '')
  if (responses.length === 0) return respond(call, accepted)
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }
  return new Response(`[${responses.join(',')}]`, { headers })
}

function findBatchProblem(call: Call, values: readonly unknown[]): string | null {
  if (call.revision?.hasBatches !== true) {
    return 'batches are part of revision 2025-03-26 only. Send each message in its own POST.'
  }
  if (values.length === 0) return 'the batch is empty.'
  if (values.length > maxBatch) {
    return `the batch has ${values.length} messages, and may have ${maxBatch}. Send it in parts.`
  }
  const begins = values.some((value) => isJsonObject(value) && value['method'] === 'initialize')
  return begins ? '`initialize` must not be in a batch. Send it alone.' : null
}

async function countPart({ settings, countedAs, env, log }: Call): Promise<Outcome | null> {
  const limited = await settings.requestLimit?.count(countedAs, env, log)
  return limited === undefined || limited === null ? null : fail(limited)
}
