import type { Exchange } from '../protocol/exchange.ts'
import { type JsonObject, isJsonObject } from '../protocol/json.ts'
import type { RequestMessage } from '../protocol/message.ts'
import {
  type Outcome,
  type StreamedOutcome,
  type StreamedResult,
  isErrorResult,
} from '../protocol/outcome.ts'
import { logNotice } from '../util/log.ts'
import type { OpenSanitizer, Sanitizer } from './sanitizer.ts'
import { readTraceContext } from './trace.ts'

/** What the audit line of each request contains. */
export interface AuditSettings {
  /** Whether lines contain the arguments of calls, with secrets masked. By default they do not. */
  readonly arguments?: boolean
  /** The name of an Analytics Engine binding that also receives each line, as a data point. */
  readonly dataset?: string
}

/** What of an exchange an audit looks at. */
type AuditedExchange = Pick<Exchange, 'env' | 'callerDigest'>

/** Has a request answered, and writes one line about it. */
export type Audit = (
  message: RequestMessage,
  exchange: AuditedExchange,
  answer: () => Outcome | Promise<Outcome>,
) => Outcome | Promise<Outcome>

/**
 * Makes the audit of a Worker: one line of JSON a request in the Worker's log, once it has ended; for a
 * stream, when that ends. `ms` is what the clock says: in Workers it stands still but for I/O, so that
 * a call which waits for nothing takes 0.
 */
export function createAudit(settings: AuditSettings, openSanitizer: OpenSanitizer): Audit {
  return (message, exchange, answer) => {
    const began = Date.now()
    const write = (end: AuditEnd): void => writeLine(message, exchange, end, Date.now() - began)
    const note = (outcome: Outcome): Outcome => {
      if (outcome.kind === 'stream') return noteStream(outcome, write)
      write(toAuditEnd(outcome))
      return outcome
    }
    return watch(answer, note, write)
  }

  function writeLine(
    message: RequestMessage,
    { env, callerDigest }: AuditedExchange,
    end: AuditEnd,
    ms: number,
  ): void {
    const { arguments: hasArguments = false, dataset } = settings
    const sanitizer = openSanitizer(env)
    const subject = toAuditSubject(message, callerDigest, sanitizer, hasArguments)
    console.log(JSON.stringify({ level: 'info', what: 'audit', ...subject, ...end, ms }))
    if (dataset !== undefined) writeAuditPoint(env, dataset, subject, end, ms)
  }
}

function noteStream({ run }: StreamedOutcome, write: (end: AuditEnd) => void): StreamedOutcome {
  return {
    kind: 'stream',
    run: async (stream) =>
      watch(
        () => run(stream),
        (result) => {
          write(toStreamEnd(result))
          return result
        },
        write,
      ),
  }
}

/** What is thrown is a fault of the server; whoever catches it gives it its id. */
const fault: AuditEnd = { outcome: 'internal', bytes: 0 }

function watch<Value>(
  work: () => Value | Promise<Value>,
  note: (value: Value) => Value,
  write: (end: AuditEnd) => void,
): Value | Promise<Value> {
  const rethrow = (error: unknown): never => {
    write(fault)
    throw error
  }
  let value: Value | Promise<Value>
  try {
    value = work()
  } catch (error) {
    return rethrow(error)
  }
  // most answers are there at once, and need no turn of their own
  return value instanceof Promise ? value.then(note, rethrow) : note(value)
}

/**
 * Writes a point of an audit to an Analytics Engine dataset: blobs method, name, outcome, caller and
 * trace; doubles milliseconds and bytes; sampled by method. A dataset that fails costs no request its
 * reply.
 */
function writeAuditPoint(
  env: object,
  binding: string,
  { method, name = '', caller = '', trace = '' }: AuditSubject,
  { outcome, bytes }: AuditEnd,
  ms: number,
): void {
  try {
    const dataset: unknown = Reflect.get(env, binding)
    if (!isDataset(dataset)) {
      throw new TypeError(`This Worker has no [[analytics_engine_datasets]] binding "${binding}".`)
    }
    dataset.writeDataPoint({
      // an index has 96 bytes, and a character up to three
      indexes: [method.slice(0, 32)],
      blobs: [method, name, outcome, caller, trace],
      doubles: [ms, bytes],
    })
  } catch (error) {
    logNotice('audit', String(error))
  }
}

function isDataset(value: unknown): value is AnalyticsEngineDataset {
  return typeof value === 'object' && value !== null && 'writeDataPoint' in value
}

/** Who asked for what; every text of it may stand in a log. */
interface AuditSubject {
  readonly id: string | number
  /** The trace that the request belongs to, as its client says. */
  readonly trace?: string
  /** The caller's digest: never a name, never a token. */
  readonly caller?: string
  readonly method: string
  /** The tool's or prompt's name, or the resource's URI. */
  readonly name?: string
  /** Only where the audit is to have them; of long ones the beginning, as text. */
  readonly arguments?: unknown
}

/** How it ended. */
interface AuditEnd {
  /** `complete`, `input_required`, `isError`, or the kind of a failure. */
  readonly outcome: string
  /** The id under which the log has the details of a fault. */
  readonly errorId?: string
  /** Whether it was kept, of what may be. */
  readonly cache?: 'hit' | 'miss'
  /** Bytes of the result; 0 without one. */
  readonly bytes: number
}

/** Characters of a client's text that a line has at most, and of its arguments. */
const maxText = 256
const maxArguments = 2_048

/** Reads what a line says of a request, with secrets masked before anything is cut. */
function toAuditSubject(
  { id, method, params }: RequestMessage,
  callerDigest: string | null,
  sanitizer: Sanitizer,
  hasArguments: boolean,
): AuditSubject {
  const clip = (text: string): string => sanitizer.text(text).slice(0, maxText)
  const trace = isJsonObject(params['_meta']) ? readTraceContext(params['_meta']) : null
  const name = findName(params)
  const given = hasArguments ? toArguments(params['arguments'], sanitizer) : undefined
  return {
    id: typeof id === 'string' ? clip(id) : id,
    ...(trace !== null && { trace: trace.traceId }),
    ...(callerDigest !== null && { caller: callerDigest }),
    method: clip(method),
    ...(name !== null && { name: clip(name) }),
    ...(given !== undefined && { arguments: given }),
  }
}

/** Says how a request ended. A stream has to end first: `toStreamEnd` is for that. */
function toAuditEnd(outcome: Exclude<Outcome, { readonly kind: 'stream' }>): AuditEnd {
  switch (outcome.kind) {
    case 'result':
      return {
        ...toStreamEnd(outcome),
        ...(outcome.kept && { cache: outcome.kept.isHit ? 'hit' : 'miss' }),
      }
    case 'input-required':
      return { outcome: 'input_required', bytes: toBytes(outcome.members) }
    case 'failure': {
      const { failure } = outcome
      const errorId = 'errorId' in failure ? { errorId: failure.errorId } : {}
      return { outcome: failure.kind, ...errorId, bytes: 0 }
    }
  }
}

/** Says how a stream ended, whose last message is its result. */
function toStreamEnd({ members }: StreamedResult): AuditEnd {
  return { outcome: isErrorResult(members) ? 'isError' : 'complete', bytes: toBytes(members) }
}

function findName({ name, uri, ref }: JsonObject): string | null {
  if (typeof name === 'string') return name
  if (typeof uri === 'string') return uri
  return isJsonObject(ref) ? findName({ name: ref['name'], uri: ref['uri'] }) : null
}

function toArguments(given: unknown, sanitizer: Sanitizer): unknown {
  if (given === undefined) return undefined
  const json = sanitizer.json(JSON.stringify(given))
  return json.length <= maxArguments ? JSON.parse(json) : json.slice(0, maxArguments)
}

function toBytes(text: string): number {
  return new TextEncoder().encode(text).byteLength
}
