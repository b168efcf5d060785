import type { Sanitizer } from './sanitizer.ts'

type LogSanitizer = Pick<Sanitizer, 'text' | 'line'>

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
    return toLoggableValue(thrown, this.#sanitizer, maxCauses)
  }

  /**
   * Writes one line. An `Error` is the second argument, because `wrangler dev` maps only such
   * stacks.
   */
  write(severity: ConsoleMethod, fields: object, thrown?: unknown): void {
    const { line } = this.#sanitizer
    if (isError(thrown)) {
      this.print(severity, line(toJson(fields)), toLoggable(thrown, this.#sanitizer))
      return
    }
    const all = thrown === undefined ? fields : { ...fields, thrown: JSON.parse(toJson(thrown)) }
    this.print(severity, line(toJson(all)))
  }

  /** Prints a line that is sanitized. */
  print(severity: ConsoleMethod, ...parts: readonly [line: string, error?: Error]): void {
    writers[severity](...parts)
  }
}

export function createWorkerLog(sanitizer: LogSanitizer): WorkerLog {
  return new WorkerLog(sanitizer)
}

const writers: Readonly<Record<ConsoleMethod, (...parts: unknown[]) => void>> = {
  info: (...parts) => console.log(...parts),
  warn: (...parts) => console.warn(...parts),
  error: (...parts) => console.error(...parts),
}

/** The maximum depth of causes, which may also be a circle. */
const maxCauses = 3

/*
 * A log line must never throw, and anything can be thrown: an error with getters that throw or with a
 * message that is not a string, a proxy, an object that has no text.
 */

function isError(value: unknown): value is Error {
  return attempt(() => value instanceof Error, false)
}

/** Copies an error with sanitized texts. The original must not change: it may be thrown again. */
function toLoggable(error: Error, sanitizer: LogSanitizer, causes = maxCauses): Error {
  const read = (key: 'name' | 'message' | 'stack'): string => sanitizer.text(readText(error, key))
  const copy = new Error(read('message'))
  Object.assign(copy, { name: read('name'), stack: read('stack') })
  for (const [key, value] of toMembers(error)) {
    Object.defineProperty(copy, key, { ...plain, value: toCleanValue(value, sanitizer) })
  }
  if (causes === 0) return copy
  const cause = attempt(() => error.cause, undefined)
  if (cause !== undefined) copy.cause = toLoggableValue(cause, sanitizer, causes - 1)
  // not enumerable, and all that says why `Promise.any` failed
  const errors: unknown = attempt(() => Reflect.get(error, 'errors'), undefined)
  if (!Array.isArray(errors)) return copy
  const listed = errors.slice(0, maxErrors)
  return Object.assign(copy, {
    errors: listed.map((one) => toLoggableValue(one, sanitizer, causes - 1)),
  })
}

const plain = { configurable: true, enumerable: true, writable: true }

/** How many errors of an `AggregateError` are logged. */
const maxErrors = 10

function toLoggableValue(value: unknown, sanitizer: LogSanitizer, causes: number): unknown {
  return isError(value) ? toLoggable(value, sanitizer, causes) : toCleanValue(value, sanitizer)
}

/** The members that an author gave an error. Its texts and its cause are read on their own. */
function toMembers(error: Error): readonly (readonly [string, unknown])[] {
  return attempt(() => Object.keys(error), [])
    .filter((key) => !own.has(key))
    .map((key) => [key, attempt<unknown>(() => Reflect.get(error, key), unreadable)])
}

const own: ReadonlySet<string> = new Set(['name', 'message', 'stack', 'cause', 'errors'])

function readText(error: Error, key: 'name' | 'message' | 'stack'): string {
  const value = attempt<unknown>(() => error[key] ?? error.message, unreadable)
  return typeof value === 'string' ? value : String(JSON.parse(toJson(value)))
}

function toCleanValue(value: unknown, { line }: LogSanitizer): unknown {
  return JSON.parse(line(toJson(value)))
}

/** Prints a value as JSON, or its text where JSON cannot carry it. */
function toJson(value: unknown): string {
  const json = attempt<string | undefined>(() => JSON.stringify(value), undefined)
  return json ?? JSON.stringify(attempt(() => String(value), unreadable))
}

const unreadable = 'It cannot be read.'

function attempt<Value>(read: () => Value, otherwise: Value): Value {
  try {
    return read()
  } catch {
    return otherwise
  }
}
