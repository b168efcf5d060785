import { type ConsoleMethod, WorkerLog } from '../out/log.ts'
import type { Sanitizer } from '../out/sanitizer.ts'
import { type JsonObject, isJsonObject } from '../protocol/json.ts'

/** A line of the Worker's log, as production would print it: without secrets. */
export interface LogLine {
  readonly severity: ConsoleMethod
  readonly fields: JsonObject
  /** What was thrown, unchanged, if the line is about that. */
  readonly thrown?: unknown
}

/** A log whose lines are kept for the test. They are also printed, unless it is `quiet`. */
export class CapturedLog extends WorkerLog {
  readonly #lines: LogLine[]
  readonly #isQuiet: boolean
  #thrown: readonly [unknown?] = []

  constructor(sanitizer: Sanitizer, lines: LogLine[], isQuiet: boolean) {
    super(sanitizer)
    this.#lines = lines
    this.#isQuiet = isQuiet
  }

  override write(severity: ConsoleMethod, fields: object, thrown?: unknown): void {
    this.#thrown = thrown === undefined ? [] : [thrown]
    super.write(severity, fields, thrown)
  }

  override print(severity: ConsoleMethod, ...parts: readonly [line: string, error?: Error]): void {
    const fields: unknown = JSON.parse(parts[0])
    const thrown = this.#thrown.length === 0 ? {} : { thrown: this.#thrown[0] }
    this.#lines.push({ severity, fields: isJsonObject(fields) ? fields : {}, ...thrown })
    // the audit line is for machines
    if (!this.#isQuiet && severity !== 'info') super.print(severity, ...parts)
  }
}
