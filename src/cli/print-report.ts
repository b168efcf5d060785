import { type Result, toReport } from '../build/report.ts'

/** Prints what a build or a check found, and returns the exit code. */
export function printReport(result: Result, isStrict = false): number {
  const { stderr, stdout, exitCode } = toReport(result, isStrict)
  if (stderr !== '') console.error(stderr)
  if (stdout !== '') console.log(stdout)
  return exitCode
}
