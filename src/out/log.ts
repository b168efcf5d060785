import type { Sanitizer } from './sanitizer.ts'

type LogSanitizer = Pick<Sanitizer, 'text' | 'json'>

/** Decides which method of `console` writes a line. */
export type ConsoleMethod = 'info' | 'warn' | 'error'

/** Returns the log of a Worker's `env`. */
export type OpenLog = (env: object) => WorkerLog

/**
 * The Worker's log, one line of JSON an entry. Nothing else calls `console`, so that secrets are masked
 * and hidden characters removed in every line, inside Durable Objects too.
 */
export class WorkerLog {
  readonly #sanitizer: LogSanitizer

  constructor(sanitizer: LogSanitizer) {
    this.#sanitizer = sanitizer
  }

  /**
   * Logs what was thrown, and returns the id of the line. Clients get the id and never the text: a
   * message may carry hosts, queries or secrets.
   */
  error(what: string, thrown: unknown): string {
    const errorId = crypto.randomUUID()
    // code may throw `undefined`, and the line has to say so
    this.write(
      'error',
      { level: 'error', errorId, what },
      thrown === undefined ? 'undefined' : thrown,
    )
    return errorId
  }

  /** Logs what an author should know although the request went on. */
  warn(what: string, detail: string, thrown?: unknown): void {
    this.write('warn', { level: 'warn', what, detail }, thrown)
  }

  /** Returns a masked copy of what was thrown, for what leaves a Durable Object. */
  toMasked(thrown: unknown): unknown {
    return thrown instanceof Error
      ? toLoggable(thrown, this.#sanitizer)
      : toCleanValue(thrown, this.#sanitizer)
  }

  /** Writes one line; an `Error` goes beside it, as `wrangler dev` maps the stack of nothing else. */
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

/** Causes are followed this far: a chain of them may also be a circle. */
const maxCauses = 3

/** Copies an error with clean texts: the original may be thrown on, and must not be changed. */
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

/** What JSON makes of a value; its text where JSON cannot carry it. A log line must never throw. */
function toJsonValue(value: unknown): unknown {
  try {
    const json: string | undefined = JSON.stringify(value)
    return json === undefined ? String(value) : JSON.parse(json)
  } catch {
    return String(value)
  }
}
