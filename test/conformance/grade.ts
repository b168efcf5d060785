import type { Accepted } from './accepted.ts'

/** One check of a scenario, as the suite writes it into checks.json. */
export interface Check {
  readonly id: string
  readonly status: string
  readonly errorMessage?: string
}

/** What one scenario comes to: why it does not pass, and what was let through. */
export interface Grade {
  readonly scenario: string
  readonly checks: number
  readonly problems: readonly string[]
  readonly notes: readonly string[]
}

/**
 * Grades a scenario by its checks: each succeeds or is accepted by name. The suite's own exit code
 * will not do, as it lets warnings, skipped checks and scenarios without any check pass.
 */
export function grade(
  scenario: string,
  checks: readonly Check[],
  accepted: readonly Accepted[],
): Grade {
  const own = accepted.filter((entry) => entry.scenario === scenario)
  const problems = checks.length === 0 ? ['it checked nothing'] : []
  const notes: string[] = []
  for (const { id, status, errorMessage = 'no reason given' } of checks) {
    if (status === 'SUCCESS') continue
    const entry = own.find((entry) => entry.check === id && entry.status === status)
    if (entry === undefined) problems.push(`${id} is ${status}: ${errorMessage}`)
    else notes.push(`${id} is ${status}, accepted: ${entry.why}`)
  }
  for (const { check, status } of own) {
    if (checks.some((found) => found.id === check && found.status === status)) continue
    problems.push(`${check} is accepted as ${status} but is not. Remove it from accepted.ts`)
  }
  return { scenario, checks: checks.length, problems, notes }
}

/** Prints a grade as a line, and another one for everything that is not plain success. */
export function toLines({ scenario, checks, problems, notes }: Grade): string {
  const verdict = problems.length === 0 ? 'pass' : 'FAIL'
  const first = `${verdict}  ${scenario.padEnd(48)}${String(checks).padStart(3)} checks`
  return [first, ...problems, ...notes].join('\n      ')
}
