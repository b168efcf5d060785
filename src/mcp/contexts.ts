import type { Log, Progress, Trace } from '../define/contexts.ts'
import { createTrace, noTrace } from '../out/trace.ts'
import type { ConsoleMethod } from '../out/log.ts'
import type { Caller } from '../protocol/caller.ts'
import type { Json } from '../protocol/json.ts'
import { type LogLevel, logLevels } from '../protocol/meta.ts'
import type { Call } from './call.ts'
import type { Deadline } from './deadline.ts'

/*
 * The contexts of authors' functions. They are classes with own members only, so that `({ input,
 * ...context })` copies all members.
 */

export class WorkContext {
  readonly env: Cloudflare.Env
  readonly caller: Caller | null
  readonly log: Log
  readonly trace: Trace
  /** Aborts at the time limit and when the client disconnects. */
  declare readonly signal: AbortSignal
  readonly #deadline: Deadline

  constructor(call: Call, name: string, deadline: Deadline) {
    this.env = call.env
    this.caller = call.caller
    this.log = createLog(call, name)
    this.trace = call.trace === null ? noTrace : createTrace(call.trace)
    this.#deadline = deadline
    Object.defineProperty(this, 'signal', WorkContext.#signal)
  }

  // one descriptor for all contexts: V8 takes longer to create a getter than the rest of the object
  static readonly #signal: PropertyDescriptor & ThisType<WorkContext> = {
    enumerable: true,
    get() {
      return this.#deadline.signal
    },
  }
}

/**
 * Creates the `log` of one call. Every message goes to the Worker's log, and to the client if the
 * request asks for its level or a lower one (server/utilities/logging).
 */
function createLog(call: Call, name: string): Log {
  const write = (level: LogLevel, message: string, detail: Json | undefined): void =>
    writeLog(call, name, level, message, detail)
  return {
    debug: (message, detail) => write('debug', message, detail),
    info: (message, detail) => write('info', message, detail),
    notice: (message, detail) => write('notice', message, detail),
    warning: (message, detail) => write('warning', message, detail),
    error: (message, detail) => write('error', message, detail),
    critical: (message, detail) => write('critical', message, detail),
    alert: (message, detail) => write('alert', message, detail),
    emergency: (message, detail) => write('emergency', message, detail),
  }
}

function writeLog(
  call: Call,
  logger: string,
  level: LogLevel,
  message: string,
  detail: Json | undefined,
): void {
  const carried = toCarried(detail)
  const said = carried === undefined ? {} : { detail: carried }
  call.log.write(toSeverity(level), { level, logger, message, ...said })
  const { logLevel } = call.envelope
  if (logLevel === undefined || logLevels.indexOf(level) < logLevels.indexOf(logLevel)) return
  const data = carried === undefined ? message : { message, detail: carried }
  call.emit({ method: 'notifications/message', params: { level, logger, data } })
}

/** Round-trips a detail through JSON. A log line must never make a call fail. */
function toCarried(detail: Json | undefined): unknown {
  if (detail === undefined) return undefined
  try {
    const json: string | undefined = JSON.stringify(detail)
    return json === undefined ? undefined : JSON.parse(json)
  } catch (error) {
    return `The detail is not JSON: ${String(error)}`
  }
}

function toSeverity(level: LogLevel): ConsoleMethod {
  const severity = logLevels.indexOf(level)
  if (severity >= logLevels.indexOf('error')) return 'error'
  return severity >= logLevels.indexOf('warning') ? 'warn' : 'info'
}

/**
 * Creates the `progress` of one call (basic/patterns/progress). It does nothing without a token,
 * which means that the client did not ask for progress. Values that do not increase are not sent.
 */
export function createProgress(call: Call): Progress {
  const { progressToken } = call.envelope
  if (progressToken === undefined) return () => {}
  let last = Number.NEGATIVE_INFINITY
  return (done, total, message) => {
    if (!Number.isFinite(done) || done <= last) return
    last = done
    call.emit({
      method: 'notifications/progress',
      params: {
        progressToken,
        progress: done,
        ...(Number.isFinite(total) && { total }),
        ...(message !== undefined && { message }),
      },
    })
  }
}

/*
 * Members that some contexts do not have. TypeScript reports their use, but `wrangler dev` does not
 * check types, and a `caller` that is silently undefined would end up in results for all callers.
 */

/** An object whose members throw errors that say what to do instead. */
type Unavailable = object

const oneCall = 'its result is shared by many calls, and this belongs to one'

const ofCachedTool = {
  ...toReasons(['progress', 'trace', 'answers'], 'a tool with `cache`', oneCall),
  ...toReasons(
    ['use', 'create', 'open', 'read', 'list'],
    'a tool with `cache`',
    `${oneCall}: a handle changes meanwhile`,
  ),
  ...toReasons(
    ['notify', 'purge'],
    'a tool with `cache`',
    'it is for tools that change something, and this one does not',
  ),
}

const sharedReason = 'the result is the same for every caller. Remove `shared`, or do not use it'

const ofSharedTool = {
  ...ofCachedTool,
  ...toReasons(['caller'], 'a tool with `shared`', sharedReason),
}

const ofSharedResource = toReasons(['caller', 'answers'], 'a resource with `shared`', sharedReason)

export const unavailableWhereCached: Unavailable = toUnavailable(ofCachedTool)

export const unavailableWhereShared: Unavailable = toUnavailable(ofSharedTool)

export const unavailableInSharedRead: Unavailable = toUnavailable(ofSharedResource)

/** Adds to a context the members that are not available, which throw when they are read. */
export function withUnavailable<Context extends object>(
  unavailable: Unavailable,
  context: Context,
): Context {
  return Object.assign(Object.create(unavailable), context)
}

function toReasons(
  names: readonly string[],
  where: string,
  why: string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, `not available in ${where}: ${why}.`]))
}

function toUnavailable(reasons: Readonly<Record<string, string>>): Unavailable {
  const getters = Object.entries(reasons).map(([name, reason]) => {
    const get = (): never => {
      throw new TypeError(`\`${name}\` is ${reason}`)
    }
    return [name, { get }]
  })
  return Object.create(null, Object.fromEntries(getters))
}
