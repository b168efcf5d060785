import type { Sanitizer } from './sanitizer.ts'

type LogSanitizer = Pick<Sanitizer, 'text' | 'json'>

export type ConsoleMethod = 'info' | 'warn' | 'error'

export type OpenLog = (env: object) => WorkerLog

/**
 * The Worker's log, one line of JSON for each entry. No other code calls `console`, so that every
 * line is sanitized, inside Durable Objects too.
 */
export class WorkerLog {
  readonly #sanitizer: LogSanitizer

  constructor(sanitizer: LogSanitizer) {
    this.#sanitizer = sanitizer
  }

  /**
   * Logs an exception, and returns the id of the line. Clients get only the id, because a message
   * may contain hosts, queries or secrets.
   */
  error(what: string, thrown: unknown): string {
    const errorId = crypto.randomUUID()
    // code may throw `undefined`, which the line must show
    this.write(
      'error',
      { level: 'error', errorId, what },
      thrown === undefined ? 'undefined' : thrown,
    )
    return errorId
  }

  /** Logs a problem that did not fail the request. */
  warn(what: string, detail: string, thrown?: unknown): void {
    this.write('warn', { level: 'warn', what, detail }, thrown)
  }

  /** Returns a sanitized copy of an exception that leaves a Durable Object. */
  toMasked(thrown: unknown): unknown {
    return thrown instanceof Error
      ? toLoggable(thrown, this.#sanitizer)
      : toCleanValue(thrown, this.#sanitizer)
  }

  /**
   * Writes one line. An `Error` is the second argument, because `wrangler dev` maps only such
   * stacks.
   */
  write(severity: ConsoleMethod, fields: object, thrown?: unknown): void {
    const { json } = this.#sanitizer
    if (thrown instanceof Error) {
      writers[severity](json(JSON.stringify(fields)), toLoggable(thrown, this.#sanitizer))
      return
    }
    const all = thrown === undefined ? fields : { ...fields, thrown: toJsonValue(thrown) }
    writers[severity](json(JSON.stringify(all)))
  }
}

const writers: Readonly<Record<ConsoleMethod, (...parts: unknown[]) => void>> = {
  info: (...parts) => console.log(...parts),
  warn: (...parts) => console.warn(...parts),
  error: (...parts) => console.error(...parts),
}

/** The maximum depth of causes, which may also be a circle. */
const maxCauses = 3

/** Copies an error with sanitized texts. The original must not change: it may be thrown again. */
function toLoggable(error: Error, sanitizer: LogSanitizer, causes = maxCauses): Error {
  const copy = new Error(sanitizer.text(error.message))
  copy.name = sanitizer.text(error.name)
  copy.stack = sanitizer.text(error.stack ?? error.message)
  Object.assign(copy, toCleanValue(Object.fromEntries(Object.entries(error)), sanitizer))
  const { cause } = error
  if (cause === undefined || causes === 0) return copy
  copy.cause =
    cause instanceof Error
      ? toLoggable(cause, sanitizer, causes - 1)
      : toCleanValue(cause, sanitizer)
  return copy
}

function toCleanValue(value: unknown, { json }: LogSanitizer): unknown {
  return JSON.parse(json(JSON.stringify(toJsonValue(value))))
}

/**
 * Round-trips a value through JSON, or returns its text if JSON cannot represent it. A log line
 * must never throw.
 */
function toJsonValue(value: unknown): unknown {
  try {
    const json: string | undefined = JSON.stringify(value)
    return json === undefined ? String(value) : JSON.parse(json)
  } catch {
    return String(value)
  }
}
