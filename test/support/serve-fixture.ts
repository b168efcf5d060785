import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { findFreePort } from './free-port.ts'

/**
 * Serves a fixture with `wrangler dev` for as long as this process lives. PORT moves it, and PERSIST
 * names the folder that keeps its state, so that it can be killed and started again on it.
 */
export async function serveFixture(
  cwd: string,
  port: string,
  vars: readonly string[] = [],
): Promise<void> {
  const { PORT = port, PERSIST, INIT_CWD = process.cwd() } = process.env
  const wrangler = join(import.meta.dirname, '../../node_modules/wrangler/bin/wrangler.js')
  // npm moves into the repository first: a relative folder is meant from where it was called
  const persist = PERSIST ? [`--persist-to=${resolve(INIT_CWD, PERSIST)}`] : []
  // by default fixtures that start at once all choose the same one
  const inspector = `--inspector-port=${await findFreePort()}`
  const variables = vars.map((value) => `--var=${value}`)
  const options = [`--port=${PORT}`, inspector, ...persist, ...variables]

  const child = spawn(process.execPath, [wrangler, 'dev', ...options], {
    cwd,
    stdio: 'inherit',
    env: { CLOUDFLARE_CF_FETCH_ENABLED: 'false', WRANGLER_SEND_METRICS: 'false', ...process.env },
  })
  // not left to the terminal, which reaches whole groups: ending this process must end both
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => void child.kill(signal))
  }
  // nor to npm, which may be killed without a word: its child would then hold the port
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && child.kill(), 200).unref()
  child.on('exit', (code) => {
    process.exitCode = code ?? 1
  })
}
