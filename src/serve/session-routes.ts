import { writeSessionNote } from '../cache/session-notes.ts'
import type { Call } from '../mcp/call.ts'
import { sessionHeader, openSession } from '../mcp/legacy/legacy-envelope.ts'
import { openNotifications } from '../mcp/legacy/notification-stream.ts'
import { type Session, toSessionEnd } from '../mcp/legacy/session.ts'
import { readLostStream } from '../mcp/legacy/stream-ids.ts'
import { type HttpOutcome, type Outcome, fail } from '../protocol/outcome.ts'
import { newestLegacy } from '../protocol/revisions/revisions.ts'
import { listsEventStream, namesModernVersion, readAccept } from './read-message.ts'

type Admit = () => Promise<Outcome | HttpOutcome | null>

/**
 * Whether a GET asks for a stream of notifications. That of a browser asks for a page. One without a
 * session and a version asks for the `endpoint` event of HTTP+SSE, the transport of 2024-11-05, and
 * its client would wait for that event for ever.
 */
export function asksForStream(call: Call): boolean {
  const { headers } = call
  const accept = headers.get('Accept') ?? ''
  const hasBegun = headers.has(sessionHeader) || headers.has('MCP-Protocol-Version')
  return isServed(call) && hasBegun && listsEventStream(accept) && !accept.includes('text/html')
}

function isServed({ headers, settings }: Call): boolean {
  return settings.legacy && !namesModernVersion(headers)
}

/** The methods of the endpoint, as `Allow` lists them: only earlier revisions have GET and DELETE. */
export function toEndpointMethods(call: Call): string {
  const isLegacy = isServed(call)
  const { hasHub, hasBridge } = call.state
  return [
    ...(isLegacy && hasHub ? ['GET'] : []),
    'POST',
    ...(isLegacy && hasBridge ? ['DELETE'] : []),
    'OPTIONS',
  ].join(', ')
}

/** Answers a GET that {@link asksForStream}. */
export async function serveNotifications(call: Call, admit: Admit): Promise<Outcome | HttpOutcome> {
  const refused = await openRequest(call, admit)
  if (refused !== null) return refused
  const lost = readLostStream(call)
  if (lost?.kind === 'cut') {
    call.id = lost.id
    return { kind: 'stream', run: async () => fail({ kind: 'failed', why: cutText }) }
  }
  // a stream that is over is not opened again, by a client that does not notice its end
  return lost !== null || !call.state.hasHub ? notAllowed(call) : openNotifications(call)
}

const cutText =
  'The connection broke before the result was sent, and the result is lost. What the request did ' +
  'is not known: check it, or send the request again.'

/** Answers a DELETE, which ends a session (2025-11-25, basic/transports, "Session Management"). */
export async function serveDelete(call: Call, admit: Admit): Promise<Outcome | HttpOutcome> {
  if (!isServed(call) || !call.state.hasBridge) return notAllowed(call)
  const refused = await openRequest(call, admit)
  if (refused !== null) return refused
  if (call.session === null) {
    const why = `DELETE ends a session, and this request has no ${sessionHeader} header.`
    return fail({ kind: 'invalid-request', why })
  }
  return endSession(call, call.session)
}

/**
 * Ends a session: its stream closes, its subscriptions are deleted, and its id is refused from now
 * on. What a client began as a call goes on, because a call needs no session, unless it waits for an
 * answer, which could not arrive any more.
 */
async function endSession(call: Call, session: Session): Promise<Outcome | HttpOutcome> {
  const { state, settings } = call
  const until = toSessionEnd(session)
  try {
    await state.bridgeSession(session)?.endSession(until)
    if (state.hasHub) await state.hub().endSession(session.nonce)
  } catch (error) {
    const errorId = call.log.error('DELETE', error)
    const why = `The session was not ended. Try again in a minute. Error id: ${errorId}.`
    return fail({ kind: 'document-failed', cause: { kind: 'failed', why } })
  }
  settings.sessions.end(session)
  await writeSessionNote(session.nonce, { isEnded: true }, until)
  return { kind: 'http', status: 204, headers: { 'Cache-Control': 'no-store' }, body: null }
}

/** Refuses a method that is not served here, or not for this client. */
export function notAllowed(call: Call): Outcome {
  const method = call.request?.method ?? ''
  // a GET that asks for no stream comes from a browser, which has no use for the other methods
  const allow = method === 'GET' ? 'POST, OPTIONS' : toEndpointMethods(call)
  return fail({ kind: 'method-not-allowed', method, allow })
}

async function openRequest(call: Call, admit: Admit): Promise<Outcome | HttpOutcome | null> {
  call.revision = newestLegacy
  call.accepted = readAccept(call.headers.get('Accept') || '*/*') ?? call.accepted
  return (await admit()) ?? openSession(call)
}
