import type { CallContext, Log, Progress } from '../define/contexts.ts'
import type { Sanitizer } from '../out/sanitizer.ts'
import { createTrace, readTraceContext } from '../out/trace.ts'
import type { Exchange } from '../protocol/exchange.ts'
import { type Json, isJsonObject } from '../protocol/json.ts'
import { type Envelope, type LogLevel, logLevels } from '../protocol/meta.ts'
import type { Call } from './checked-call.ts'

/** Makes what every piece of an author's code works with, but for its input. */
export function toWorking(
  { name, params, exchange, envelope }: Call,
  sanitizer: Sanitizer,
  signal: AbortSignal,
): Omit<CallContext<never>, 'input'> {
  const meta = params['_meta']
  return {
    env: exchange.env,
    caller: exchange.caller,
    signal,
    log: createLog(name, envelope, exchange, sanitizer),
    trace: createTrace(isJsonObject(meta) ? readTraceContext(meta) : null),
  }
}

type Write = (level: LogLevel, message: string, detail: Json | undefined) => void

/**
 * Makes the log of one call: every message goes to the Worker's log, and to the client those at or
 * above the level that the request names, if it names one (server/utilities/logging).
 */
function createLog(
  name: string,
  { logLevel }: Envelope,
  { emit }: Exchange,
  sanitizer: Sanitizer,
): Log {
  const least = logLevel === undefined ? Number.POSITIVE_INFINITY : logLevels.indexOf(logLevel)
  const write: Write = (level, message, detail) => {
    const json = toJson(detail)
    writeToConsole(level, sanitizer.mask(toLine(name, level, message, json)))
    if (logLevels.indexOf(level) < least) return
    const text = sanitizer.text(message)
    const data = json === null ? text : { message: text, detail: JSON.parse(sanitizer.json(json)) }
    emit({ method: 'notifications/message', params: { level, logger: name, data } })
  }
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

/** A detail as JSON; `null` where there is none. A log line must never be what fails a call. */
function toJson(detail: Json | undefined): string | null {
  if (detail === undefined) return null
  try {
    return JSON.stringify(detail) ?? null
  } catch (error) {
    return JSON.stringify(`The detail is no JSON: ${String(error)}`)
  }
}

function toLine(name: string, level: LogLevel, message: string, json: string | null): string {
  const detail = json === null ? '' : `,"detail":${json}`
  return `${JSON.stringify({ level, logger: name, message }).slice(0, -1)}${detail}}`
}

function writeToConsole(level: LogLevel, line: string): void {
  const severity = logLevels.indexOf(level)
  if (severity >= logLevels.indexOf('error')) console.error(line)
  else if (severity >= logLevels.indexOf('warning')) console.warn(line)
  else console.log(line)
}

/**
 * Makes the progress of one call (basic/patterns/progress). Without a token nobody asked for it; what
 * does not grow must not be sent, so it is not, and a total that is no number is left out.
 */
export function createProgress(
  { progressToken }: Envelope,
  { emit }: Exchange,
  sanitizer: Sanitizer,
): Progress {
  if (progressToken === undefined) return () => {}
  let last = Number.NEGATIVE_INFINITY
  return (done, total, message) => {
    if (!Number.isFinite(done) || done <= last) return
    last = done
    emit({
      method: 'notifications/progress',
      params: {
        progressToken,
        progress: done,
        ...(Number.isFinite(total) && { total }),
        ...(message !== undefined && { message: sanitizer.text(message) }),
      },
    })
  }
}

/*
 * Members that authors look for where there are none. TypeScript says so; `wrangler dev` checks no
 * types, and a `caller` that is silently undefined would be kept for everybody.
 */

/** An object whose members throw what to do instead, for others to be made from. */
type Absent = object

const forOneCall = 'belongs to one call, and what `cache` keeps is for many'
const ofShared = 'is not told where the result is `shared`. Remove one of the two'

const kept = {
  ...toReasons(['progress', 'trace', 'answers'], forOneCall),
  ...toReasons(
    ['use', 'create', 'open', 'read', 'list'],
    `${forOneCall}: a handle changes meanwhile`,
  ),
  ...toReasons(
    ['notify', 'purge'],
    `is for tools that change something, and one with \`cache\` does not`,
  ),
}

/** What the `run` of a tool with `cache` has not got. */
export const absentWhereKept: Absent = toAbsent(kept)

/** The same, where it is told nothing of its caller either. */
export const absentWhereShared: Absent = toAbsent({ ...kept, caller: ofShared })

/** What the `read` of a shared resource has not got. */
export const absentWhereRead: Absent = toAbsent({ caller: ofShared, answers: ofShared })

/** Gives a context the members that are not there. */
export function withAbsent<Context extends object>(absent: Absent, context: Context): Context {
  return Object.assign(Object.create(absent), context)
}

function toReasons(names: readonly string[], why: string): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, why]))
}

function toAbsent(reasons: Readonly<Record<string, string>>): Absent {
  const getters = Object.entries(reasons).map(([name, why]) => {
    const get = (): never => {
      throw new TypeError(`\`${name}\` is not there: it ${why}.`)
    }
    return [name, { get }]
  })
  return Object.create(null, Object.fromEntries(getters))
}
