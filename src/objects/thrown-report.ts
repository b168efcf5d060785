import type { WorkerLog } from '../out/log.ts'

/**
 * What an author's code threw inside an object, as plain data without secrets: over RPC an error loses
 * its class, its fields and its cause.
 */
export type ThrownReport =
  | {
      readonly kind: 'error'
      readonly name: string
      readonly message: string
      readonly stack: string
      readonly fields: object
      readonly cause: ThrownReport | null
    }
  /** Something other than an `Error` was thrown. */
  | { readonly kind: 'value'; readonly value: unknown }

export function toThrownReport(thrown: unknown, log: () => WorkerLog): ThrownReport {
  return toReport(log().toMasked(thrown))
}

function toReport(masked: unknown): ThrownReport {
  if (!(masked instanceof Error)) return { kind: 'value', value: masked }
  const { name, message, stack = message } = masked
  const { name: _, cause, ...fields } = Object.fromEntries<unknown>(Object.entries(masked))
  return {
    kind: 'error',
    name,
    message,
    stack,
    fields,
    cause: cause === undefined ? null : toReport(cause),
  }
}

/** Converts a report back to what was thrown. The stack is the object's, where the fault is. */
export function fromThrownReport(report: ThrownReport): unknown {
  if (report.kind === 'value') return report.value
  const { name, message, stack, fields, cause } = report
  const error = new Error(message)
  if (cause !== null) error.cause = fromThrownReport(cause)
  return Object.assign(error, fields, { name, stack })
}
