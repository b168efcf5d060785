import { execFile } from 'node:child_process'
import { join } from 'node:path'

const helve = join(import.meta.dirname, '../../../src/cli/helve.ts')

export interface EndedHelve {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs the real command line in a folder, without a terminal. */
export function runHelve(cwd: string, args: readonly string[]): Promise<EndedHelve> {
  return new Promise((done) => {
    execFile(process.execPath, [helve, ...args], { cwd }, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : Number(error.code), stdout, stderr })
    })
  })
}
