import { type JsonObject, isJsonObject } from '../protocol/json.ts'
import {
  type FinalOutcome,
  type HttpOutcome,
  type CacheInfo,
  type SilentEnd,
  isErrorResult,
} from '../protocol/outcome.ts'
import { supportedVersions } from '../protocol/meta.ts'
import type { WorkerLog } from './log.ts'
import type { Sanitizer } from './sanitizer.ts'
import type { TraceContext } from './trace.ts'

export interface AuditSettings {
  /** Whether lines contain the arguments of calls, with secrets masked. By default they do not. */
  readonly arguments?: boolean
  /** The name of an Analytics Engine binding to which every line is written, too. */
  readonly dataset?: string
}

export interface AuditedCall {
  readonly request: Pick<Request, 'method' | 'url'> | null
  readonly env: object
  /** A digest, so that the log has neither names nor tokens. */
  readonly callerDigest: string | null
  readonly id: string | number | undefined
  /** The JSON-RPC method; empty if no message could be read. */
  readonly method: string
  readonly params: JsonObject
  /** The revision of a client that begins with `initialize`. */
  readonly revision: { readonly version: string } | null
  readonly trace: TraceContext | null
  readonly began: number
  readonly log: WorkerLog
  readonly sanitizer: Sanitizer
}

export interface AuditEnd {
  /** `complete`, `input_required`, `isError`, `cancelled`, or the kind of a failure. */
  readonly outcome: string
  readonly status: number
  /** The id of the log line about an internal error. */
  readonly errorId?: string
  /** Whether a cacheable result came from the server's cache. */
  readonly cache?: 'hit' | 'miss'
  /** Bytes of the result; 0 without one. */
  readonly bytes: number
  /** The revision of a client that is refused for it. */
  readonly requested?: string
}

/**
 * Writes one line about a call that has ended, or about a stream at its end. `ms` comes from the
 * clock of Workers, which stands still except for I/O: a call without I/O takes 0.
 */
export function writeAudit(call: AuditedCall, settings: AuditSettings, end: AuditEnd): void {
  const ms = Date.now() - call.began
  const { requested, ...ended } = end
  const subject = toAuditSubject(call, settings.arguments === true, requested)
  call.log.write('info', { level: 'info', what: 'audit', ...subject, ...ended, ms })
  if (settings.dataset !== undefined) writeAuditPoint(call, settings.dataset, subject, end, ms)
}

export function toAuditEnd(
  outcome: FinalOutcome | HttpOutcome | SilentEnd,
  status: number,
): AuditEnd {
  switch (outcome.kind) {
    case 'result': {
      const { members, bytes = countBytes(members) } = outcome
      return {
        outcome: isErrorResult(members) ? 'isError' : 'complete',
        status,
        ...toErrorId(outcome),
        ...toCacheEnd(outcome),
        bytes,
      }
    }
    case 'input-required':
      return { outcome: 'input_required', status, bytes: countBytes(outcome.members) }
    case 'failure': {
      const { failure } = outcome
      const fault = failure.kind === 'document-failed' ? failure.cause : failure
      const requested = 'requested' in failure ? { requested: failure.requested } : {}
      return { outcome: failure.kind, status, ...toErrorId(fault), bytes: 0, ...requested }
    }
    case 'cancelled':
      return { outcome: 'cancelled', status, bytes: 0 }
    case 'closed':
      return { outcome: 'complete', status, bytes: 0 }
    case 'http':
      return {
        outcome: 'complete',
        status,
        ...toCacheEnd(outcome),
        bytes: countBytes(outcome.body ?? ''),
      }
  }
}

function toCacheEnd({ cached }: { readonly cached?: CacheInfo }): Pick<AuditEnd, 'cache'> {
  return cached === undefined ? {} : { cache: cached.isHit ? 'hit' : 'miss' }
}

function toErrorId(fault: object | { readonly errorId?: string }): Pick<AuditEnd, 'errorId'> {
  return 'errorId' in fault ? { errorId: fault.errorId } : {}
}

interface AuditSubject {
  readonly id?: string | number
  readonly trace?: string
  readonly caller?: string
  /** The JSON-RPC method, or the HTTP method and the path of a request without a message. */
  readonly method: string
  /** The revision of a message or of a stream of notifications, which tells its era. */
  readonly revision?: string
  readonly name?: string
  /** Long arguments are cut, and become text. */
  readonly arguments?: unknown
}

/** The maximum number of characters of a client's text in a line. */
const maxText = 256
const maxArguments = 2_048

function toAuditSubject(
  call: AuditedCall,
  hasArguments: boolean,
  requested: string | undefined,
): AuditSubject {
  const { id, method, params, callerDigest, trace, sanitizer } = call
  const clip = (text: string): string =>
    // sanitized before it is cut, because half a secret is not masked
    text.length <= maxText ? text : sanitizer.text(text).slice(0, maxText)
  const name = findName(params)
  const revision = requested ?? findRevision(call)
  const given = hasArguments ? toArguments(params['arguments'], sanitizer) : undefined
  return {
    ...(id !== undefined && { id: typeof id === 'string' ? clip(id) : id }),
    ...(trace !== null && { trace: trace.traceId }),
    ...(callerDigest !== null && { caller: callerDigest }),
    method: clip(method === '' ? toHttpMethod(call) : method),
    ...(revision !== undefined && { revision: clip(revision) }),
    ...(name !== null && { name: clip(name) }),
    ...(given !== undefined && { arguments: given }),
  }
}

function findRevision({ method, revision }: AuditedCall): string | undefined {
  // what could not be read has none, and neither has a GET of a browser
  return revision?.version ?? (method === '' ? undefined : supportedVersions[0])
}

function toHttpMethod({ request }: AuditedCall): string {
  return request === null ? '' : `${request.method} ${new URL(request.url).pathname}`
}

function findName({ name, uri, ref }: JsonObject): string | null {
  if (typeof name === 'string') return name
  if (typeof uri === 'string') return uri
  return isJsonObject(ref) ? findName({ name: ref['name'], uri: ref['uri'] }) : null
}

function toArguments(given: unknown, sanitizer: Sanitizer): unknown {
  if (given === undefined) return undefined
  const json = sanitizer.line(JSON.stringify(given))
  return json.length <= maxArguments ? JSON.parse(json) : json.slice(0, maxArguments)
}

const encoder = new TextEncoder()
// oxlint-disable-next-line no-control-regex
const ascii = /^[\0-\x7f]*$/

/** Counts the bytes of a text in UTF-8. */
export function countBytes(text: string): number {
  // nearly all results are ASCII, which is cheaper to count than to encode
  return ascii.test(text) ? text.length : encoder.encode(text).byteLength
}

/**
 * Writes a point to an Analytics Engine dataset. The order is documented (docs/operating.md), and
 * queries name columns by their place: a new one comes last. Sampled by method. A failing dataset must not fail the request.
 */
function writeAuditPoint(
  { env, log, sanitizer }: AuditedCall,
  binding: string,
  { method, name = '', caller = '', trace = '', revision = '' }: AuditSubject,
  { outcome, bytes }: AuditEnd,
  ms: number,
): void {
  try {
    const dataset: unknown = Reflect.get(env, binding)
    if (!isDataset(dataset)) {
      throw new TypeError(`This Worker has no [[analytics_engine_datasets]] binding "${binding}".`)
    }
    const blobs = [method, name, outcome, caller, trace, revision].map(sanitizer.text)
    dataset.writeDataPoint({
      // an index has at most 96 bytes, and a character up to three
      indexes: [sanitizer.text(method).slice(0, 32)],
      blobs,
      doubles: [ms, bytes],
    })
  } catch (error) {
    log.warn('audit', String(error))
  }
}

function isDataset(value: unknown): value is AnalyticsEngineDataset {
  return typeof value === 'object' && value !== null && 'writeDataPoint' in value
}
