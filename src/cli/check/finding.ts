import type { JsonObject } from '../../protocol/json.ts'

/** The checks, in the order of the report. */
export const checkNames = ['tools', 'config', 'metadata', 'types', 'size', 'startup'] as const

export type CheckName = (typeof checkNames)[number]

export interface Finding {
  readonly check: CheckName
  readonly severity: 'error' | 'warning'
  /** What kind of problem it is, such as "missing-class". */
  readonly code: string
  /** A path from the project's root. */
  readonly file: string | null
  readonly line: number | null
  readonly message: string
  /** Whether `helve check --fix` can mend it. */
  readonly fixable: boolean
}

/** What a check found, and what it measured. */
export interface CheckOutcome {
  readonly findings: readonly Finding[]
  /** What is good to know if nothing is wrong, as lines of the report. */
  readonly notes?: readonly string[]
  /** The same for programs. */
  readonly details?: JsonObject
}

/** Creates a function that creates the findings of a check in one file. */
export function findingsOf(check: CheckName, file: string | null) {
  return (
    code: string,
    message: string,
    { severity = 'warning', fixable = false, line = null }: Partial<Finding> = {},
  ): Finding => ({ check, severity, code, file, line, message, fixable })
}
