import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { quiet } from './wrangler-dev.ts'

export const helve: string = join(import.meta.dirname, '../../src/cli/helve.ts')

export interface CommandResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface RunOptions {
  readonly env?: NodeJS.ProcessEnv
  /** The standard input. */
  readonly input?: string
  readonly nodeArgs?: readonly string[]
}

// as outside of wrangler, which sets the first one for its build command
const plain = { WRANGLER_COMMAND: '', CLOUDFLARE_ENV: '', HELVE_TOKEN: '', NO_COLOR: '1' }

/** Runs the real command line in a folder, without a terminal. */
export async function runHelve(
  cwd: string,
  args: readonly string[],
  { env = {}, input = '', nodeArgs = [] }: RunOptions = {},
): Promise<CommandResult> {
  const child = spawn(process.execPath, [...nodeArgs, helve, ...args], {
    cwd,
    env: { ...process.env, ...quiet, ...plain, ...env },
  })
  // a command that ends at once may not read it
  child.stdin.on('error', () => {}).end(input)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await ended, stdout, stderr }
}
