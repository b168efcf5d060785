import { type CacheDirectives, noStore, toOutcomeDirectives } from '../cache/freshness.ts'
import { type Call, isRetry } from '../mcp/call.ts'
import { toAuditEnd, writeAudit } from '../out/audit.ts'
import { printError, printLegacyResult, printResult } from '../out/print.ts'
import { EventStream, sseHeaders, toSseEvent } from '../out/stream.ts'
import { type Failure, type RpcError, toLegacyError, toRpcError } from '../protocol/failure.ts'
import {
  type FinalOutcome,
  type HttpOutcome,
  type Outcome,
  type SilentEnd,
  fail,
} from '../protocol/outcome.ts'
import { convertResult } from '../protocol/revisions/convert-result.ts'
import type { Revision } from '../protocol/revisions/revision.ts'
import { toCorsHeaders } from './origin.ts'

type HeaderRecord = Readonly<Record<string, string>>

const jsonHeaders = { 'Content-Type': 'application/json', ...noStore }

// workerd copies a Headers object much faster than it reads a record, and each header costs as much
// as parsing a small message: these are created once
const plainHeaders = new Headers(jsonHeaders)
const cacheableHeaders = new WeakMap<CacheDirectives, Headers>()

/**
 * Creates the response to a request: the only place where messages are sent. Prints and sanitizes
 * the outcome, adds caching hints, and writes the audit line. Later messages of a stream go through
 * {@link finishStream}.
 */
export function respond(call: Call, outcome: Outcome | HttpOutcome): Response {
  call.isAnswered = outcome.kind !== 'stream'
  if (call.isCancelled) return respondWithNothing(call)
  switch (outcome.kind) {
    case 'http':
      return respondHttp(call, outcome)
    case 'failure':
      return respondWithFailure(call, outcome)
    case 'result':
    case 'input-required':
      return respondWithResult(call, toHinted(call, outcome))
    case 'stream': {
      if (!call.accepted.allowsStream) {
        const accept = call.headers.get('Accept') ?? ''
        return respondWithFailure(call, fail({ kind: 'not-acceptable', accept }))
      }
      return respondWithStream(call, call.channel.open(0), Promise.resolve(outcome))
    }
  }
}

/** Responds when the outcome is known, or with the stream that the reply has become before that. */
export async function respondInTime(
  call: Call,
  answering: Outcome | Promise<Outcome>,
): Promise<Response> {
  if (!(answering instanceof Promise)) return respond(call, answering)
  if (!call.accepted.streams) return respond(call, await answering)
  const { channel } = call
  const first = await channel.race(answering)
  if (first instanceof EventStream) return respondWithStream(call, first, answering)
  // code that goes on after its result may have opened the stream since, and it has to be closed
  const { opened } = channel
  return opened === null ? respond(call, first) : respondWithStream(call, opened, answering)
}

function respondWithStream(call: Call, stream: EventStream, answering: Promise<Outcome>): Response {
  void finishStream(call, stream, answering)
  return new Response(stream.body, {
    headers: { ...toBrowserHeaders(call), ...sseHeaders, ...noStore },
  })
}

/** Ends a stream with its response. It must not reject, because it is not awaited. */
async function finishStream(
  call: Call,
  stream: EventStream,
  answering: Promise<Outcome>,
): Promise<void> {
  const ended = await settle(call, stream, answering)
  if ('isOver' in ended) {
    audit(call, ended, 200)
    stream.close(ended.isOver)
    return
  }
  const { outcome, text } = tryPrint(call, toHinted(call, ended))
  audit(call, outcome, 200)
  stream.end(text)
}

async function settle(
  call: Call,
  stream: EventStream,
  answering: Promise<Outcome>,
): Promise<FinalOutcome | SilentEnd> {
  try {
    const outcome = await answering
    if (call.isCancelled) return cancelled
    if (outcome.kind !== 'stream') return outcome
    const end = await outcome.run(stream)
    return 'kind' in end ? end : { kind: 'result', ...end }
  } catch (error) {
    return toInternalFailure(call, error)
  }
}

const cancelled: SilentEnd = { kind: 'cancelled', isOver: true }

/** Ends the HTTP request of a call that its client cancelled: no JSON-RPC response may follow. */
function respondWithNothing(call: Call): Response {
  const { streams } = call.accepted
  const status = streams ? 200 : 202
  audit(call, cancelled, status)
  const headers = { ...toBrowserHeaders(call), ...noStore, ...(streams && sseHeaders) }
  return new Response(streams ? '' : null, { status, headers })
}

/**
 * Removes caching from retries: their result depends on more than a cache key contains
 * (server/utilities/caching, "Cache Key").
 */
function toHinted(call: Call, outcome: FinalOutcome): FinalOutcome {
  if (outcome.kind !== 'result' || outcome.hints === undefined) return outcome
  // earlier revisions have no caching
  if (call.revision !== null) return { ...outcome, hints: undefined }
  if (!isRetry(call.params)) return outcome
  return { ...outcome, hints: { ttlMs: 0, cacheScope: 'private' } }
}

/** Logs an exception, of which the client receives only the id. */
export function toInternalFailure(call: Call, error: unknown): ReturnType<typeof fail> {
  return fail({ kind: 'internal', errorId: call.log.error(call.method || 'request', error) })
}

function respondWithFailure(call: Call, outcome: ReturnType<typeof fail>): Response {
  const error = toError(call, outcome.failure)
  audit(call, outcome, error.status)
  const text = printError(call.id, error, call.sanitizer)
  const isEvent = error.status === 200 && call.accepted.reply === 'text/event-stream'
  // with any other status clients read the body as text, not as a stream
  return new Response(isEvent ? toSseEvent(text) : text, {
    status: error.status,
    headers: {
      ...toBrowserHeaders(call),
      ...jsonHeaders,
      ...(isEvent && sseHeaders),
      ...toMasked(error.headers ?? {}, call),
    },
  })
}

function toError({ revision }: Call, failure: Failure): RpcError {
  return revision === null ? toRpcError(failure) : toLegacyError(failure)
}

function respondHttp(call: Call, outcome: HttpOutcome): Response {
  const { status, headers, body } = outcome
  audit(call, outcome, status)
  return new Response(body === null ? null : call.sanitizer.json(body), {
    status,
    headers: { ...toBrowserHeaders(call), ...toMasked(headers, call) },
  })
}

function respondWithResult(call: Call, hinted: FinalOutcome): Response {
  const { outcome, text } = tryPrint(call, hinted)
  audit(call, outcome, 200)
  return toResponse(call, text, toHeaders(outcome))
}

/**
 * Creates the response to a batch from the responses to its messages, each of which was sanitized and
 * has its audit line.
 */
export function respondWithBatch(call: Call, responses: readonly string[]): Response {
  if (responses.length > 0) return toResponse(call, `[${responses.join(',')}]`, plainHeaders)
  return new Response(null, { status: 202, headers: { ...toBrowserHeaders(call), ...noStore } })
}

function toResponse(call: Call, text: string, headers: Headers): Response {
  const isEvent = call.accepted.reply === 'text/event-stream'
  if (!isEvent && call.origin === null) return new Response(text, { headers })
  const response = new Response(isEvent ? toSseEvent(text) : text, { headers })
  const more = { ...toBrowserHeaders(call), ...(isEvent && sseHeaders) }
  for (const [name, value] of Object.entries(more)) response.headers.set(name, value)
  return response
}

function toHeaders(outcome: FinalOutcome): Headers {
  if (outcome.kind === 'result' && outcome.headers !== undefined) {
    return new Headers({ ...jsonHeaders, ...outcome.headers })
  }
  const directives = toOutcomeDirectives(outcome)
  if (directives === null) return plainHeaders
  const headers =
    cacheableHeaders.get(directives) ?? new Headers({ ...jsonHeaders, ...directives.reply })
  cacheableHeaders.set(directives, headers)
  return headers
}

function toBrowserHeaders({ origin, revision }: Call): HeaderRecord {
  if (origin === null) return {}
  return {
    ...toCorsHeaders(origin),
    'MCP-Protocol-Version': revision?.version ?? '2026-07-28',
    'X-Content-Type-Options': 'nosniff',
    Vary: 'Origin',
  }
}

function toMasked(headers: HeaderRecord, { sanitizer }: Call): HeaderRecord {
  const masked = Object.entries(headers).map(([name, value]) => [name, sanitizer.mask(value)])
  return Object.fromEntries(masked)
}

interface PrintedOutcome {
  readonly outcome: FinalOutcome
  readonly text: string
}

/** Prints an outcome, or an internal failure in its place if it cannot be sanitized. */
function tryPrint(call: Call, outcome: FinalOutcome): PrintedOutcome {
  try {
    return { outcome, text: print(call, outcome) }
  } catch (error) {
    const failed = toInternalFailure(call, error)
    return { outcome: failed, text: print(call, failed) }
  }
}

function print(call: Call, outcome: FinalOutcome): string {
  const { id = '', sanitizer, resultSanitizer, settings } = call
  if (outcome.kind === 'failure') return printError(id, toError(call, outcome.failure), sanitizer)
  if (call.revision !== null) return printLegacy(call, call.revision, outcome)
  const isResult = outcome.kind === 'result'
  const directives = isResult && outcome.hints ? toOutcomeDirectives(outcome) : null
  const hints = directives === null ? '' : `${directives.members},`
  const cleaning = (isResult ? resultSanitizer : null) ?? sanitizer
  return printResult(id, outcome, { serverMeta: settings.serverMeta, hints }, cleaning)
}

function printLegacy(
  { id = '', method, sanitizer, resultSanitizer }: Call,
  revision: Revision,
  outcome: Exclude<FinalOutcome, { kind: 'failure' }>,
): string {
  const { members } = outcome
  const isClean = outcome.kind === 'result' && outcome.isClean === true
  const cleaned = isClean ? members : (resultSanitizer ?? sanitizer).json(members)
  return printLegacyResult(id, convertResult(method, cleaned, revision))
}

function audit(call: Call, outcome: FinalOutcome | HttpOutcome | SilentEnd, status: number): void {
  const { audit } = call.settings
  if (audit !== null) writeAudit(call, audit, toAuditEnd(outcome, status))
}
