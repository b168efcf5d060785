import type { Log, Progress, Trace } from '../define/contexts.ts'
import { createTrace, noTrace } from '../out/trace.ts'
import type { ConsoleMethod } from '../out/log.ts'
import type { Caller } from '../protocol/caller.ts'
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
  const write = (level: LogLevel, message: unknown, detail: unknown): void =>
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

/** What an author logs may be anything, whatever the types say: a log line must never fail a call. */
function writeLog(
  call: Call,
  logger: string,
  level: LogLevel,
  message: unknown,
  detail: unknown,
): void {
  const text = toLogged(message)
  const said = detail === undefined ? {} : { detail: toLogged(detail) }
  // an error is written with its text and its stack
  call.log.write(
    toSeverity(level),
    { level, logger, message: text, ...said },
    [detail, message].find(isError),
  )
  const { logLevel } = call.envelope
  if (logLevel === undefined || logLevels.indexOf(level) < logLevels.indexOf(logLevel)) return
  const data = detail === undefined ? text : { message: text, ...said }
  call.emit({ method: 'notifications/message', params: { level, logger, data } })
}

/** Characters after which a log or progress message is cut, so that one cannot fill a log or a stream. */
const maxLogged = 65_536

/**
 * Converts any value to one of JSON that says the same as far as possible. Of an error a client gets
 * the name alone: its text may contain hosts, queries or secrets.
 */
function toLogged(value: unknown): unknown {
  if (typeof value === 'string') return cut(value)
  try {
    const json: string | undefined = JSON.stringify(value, (_, part: unknown) => {
      if (typeof part === 'bigint') return String(part)
      return isError(part) ? toErrorName(part) : part
    })
    // undefined, a function or a symbol
    if (json === undefined) return value === undefined ? 'undefined' : `a ${typeof value}`
    return json.length > maxLogged ? cut(json) : JSON.parse(json)
  } catch (error) {
    return `It is not JSON: ${error instanceof TypeError ? cut(error.message) : 'reading it failed'}`
  }
}

function cut(text: string): string {
  if (text.length <= maxLogged) return text
  return `${text.slice(0, maxLogged)}... (cut, ${text.length} characters)`
}

function isError(value: unknown): value is Error {
  try {
    return value instanceof Error
  } catch {
    // a proxy whose target cannot be asked
    return false
  }
}

function toErrorName(error: unknown): string {
  try {
    const name: unknown = Reflect.get(Object(error), 'name')
    return typeof name === 'string' ? cut(name) : 'Error'
  } catch {
    return 'Error'
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
        ...toProgressMessage(message),
      },
    })
  }
}

/** The message is text on the wire, whatever an author without types passes. */
function toProgressMessage(message: unknown): { readonly message?: string } {
  if (message === undefined || message === null) return {}
  const logged = toLogged(message)
  return { message: typeof logged === 'string' ? logged : JSON.stringify(logged) }
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
