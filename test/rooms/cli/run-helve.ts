import { execFile } from 'node:child_process'
import { join } from 'node:path'

export interface CommandResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs the command `helve` of the sources in a folder. */
export function runHelve(
  cwd: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
  nodeArgs: readonly string[] = [],
): Promise<CommandResult> {
  const helve = join(import.meta.dirname, '../../../src/cli/helve.ts')
  // as outside of wrangler, which sets it for its build command
  const env = { ...process.env, WRANGLER_COMMAND: '', ...variables }
  return new Promise((done) => {
    execFile(process.execPath, [...nodeArgs, helve, ...args], { cwd, env }, (error, ...printed) => {
      const [stdout, stderr] = printed
      done({ code: error === null ? 0 : Number(error.code), stdout, stderr })
    })
  })
}
