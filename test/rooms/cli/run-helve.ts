import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { quiet } from '../../support/wrangler-dev.ts'

export const helve: string = join(import.meta.dirname, '../../../src/cli/helve.ts')

interface Run {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs the real command line in a folder. */
export function runHelve(cwd: string, ...args: readonly string[]): Promise<Run> {
  const env = { ...process.env, ...quiet, WRANGLER_COMMAND: '', CLOUDFLARE_ENV: '' }
  return new Promise((done) => {
    execFile(process.execPath, [helve, ...args], { cwd, env }, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : Number(error.code), stdout, stderr })
    })
  })
}
