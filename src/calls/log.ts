import type { Log } from '../define/running.ts'
import type { Envelope } from '../wire/envelope.ts'
import type { Exchange } from '../wire/exchange.ts'
import type { Json } from '../wire/json.ts'
import { logLevels, type LogLevel } from '../wire/log-level.ts'
import type { Sanitizer } from './sanitize/sanitizer.ts'

type Write = (level: LogLevel, message: string, detail: Json | undefined) => void

/**
 * Makes the log of one call: every message goes to the Worker's log, and to the client those at or
 * above the level that the request names, if it names one (server/utilities/logging).
 */
export function createLog(
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
