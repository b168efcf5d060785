import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import process from 'node:process'
import { stripVTControlCharacters } from 'node:util'
import { requireOfWrangler } from '../build/wrangler-packages.ts'

export interface WranglerRun {
  readonly exitCode: number
  /** What it printed to both streams, without colors. */
  readonly output: string
}

/**
 * Runs a command of the project's wrangler that needs no terminal, and returns what it printed.
 *
 * @throws {CliError} if wrangler is not installed.
 */
export async function runWrangler(root: string, args: readonly string[]): Promise<WranglerRun> {
  const child = spawn(process.execPath, [findWrangler(root), ...args], {
    cwd: root,
    env: {
      ...process.env,
      // the build command of a project may be a command of its packages
      PATH: [join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
      NO_COLOR: '1',
      WRANGLER_HIDE_BANNER: 'true',
      WRANGLER_SEND_METRICS: 'false',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  child.stderr.on('data', (chunk) => (output += String(chunk)))
  const exitCode = await new Promise<number>((done, fail) => {
    child.on('close', (code) => done(code ?? 1)).on('error', fail)
  })
  return { exitCode, output: stripVTControlCharacters(output) }
}

export function findWrangler(root: string): string {
  return join(requireOfWrangler(root).resolve('wrangler/package.json'), '../bin/wrangler.js')
}

/** Returns what wrangler says about its failure, without its advice to file a report. */
export function toWranglerError(output: string): string {
  const built = [...output.matchAll(/^\[custom build\] (.*\S.*)$/gm)].map(([, line = '']) => line)
  const [, error = output] = /\[ERROR\]\s*([^]*?)\n\s*\n/.exec(`${output}\n\n`) ?? []
  // the build command has said why it failed
  return error.includes('Process exited') ? built.join('\n') : error.trim()
}
