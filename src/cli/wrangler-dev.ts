import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { CliError } from '../build/errors.ts'
import { findWrangler } from './run-wrangler.ts'

/**
 * Returns the arguments for the port `PORT`, if the environment has one: npm scripts cannot pass it on in
 * a way that works on every system.
 *
 * @throws {CliError} if `PORT` is not a port.
 */
export function toPortArguments(args: readonly string[]): readonly string[] {
  const { PORT } = process.env
  const hasPort = PORT === undefined || PORT === '' || args.some((arg) => /^--port\b/.test(arg))
  return hasPort ? [] : [`--port=${readPort(PORT)}`]
}

/**
 * Runs `wrangler dev` until it ends, and returns its exit code.
 *
 * @throws {CliError} if wrangler is not installed.
 */
export async function runWranglerDev(root: string, args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [findWrangler(root), 'dev', ...args], {
    cwd: root,
    stdio: 'inherit',
  })
  // a terminal signals both processes, and anything else that ends one only this one
  const forward = (signal: NodeJS.Signals): void => void child.kill(signal)
  process.once('SIGTERM', forward).once('SIGHUP', forward).on('SIGINT', ignore)
  // npm passes a signal to its shell alone, which ends and leaves this process behind
  const parent = process.ppid
  const watch = setInterval(() => process.ppid === parent || forward('SIGTERM'), 500)
  const [code] = await once(child, 'exit')
  clearInterval(watch)
  return typeof code === 'number' ? code : 0
}

function ignore(): void {}

function readPort(text: string): string {
  const isPort = /^\d{1,5}$/.test(text) && Number(text) <= 65_535
  if (isPort) return text
  throw new CliError(`PORT is ${JSON.stringify(text)}. It must be a number from 0 to 65535.`)
}
