import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findFreePort, startOnFreePort } from './free-port.ts'

/** A `wrangler dev` that answers. */
export interface WranglerDev {
  /** Where it listens, without a closing slash. */
  readonly url: string
  /** The file that takes everything it prints. */
  readonly log: string
  stop(): Promise<void>
  /** Ends it as a crash would: nothing in it hears of it. */
  kill(): Promise<void>
}

export interface WranglerDevOptions {
  /** The folder with the wrangler.toml; the repository's own unless said otherwise. */
  readonly cwd?: string
  /** Makes the variables of the Worker for the URL where it will listen. */
  readonly vars?: (url: string) => Readonly<Record<string, string>>
  /** The folder that keeps its storage when it has ended; a temporary one unless said otherwise. */
  readonly persist?: string
}

/** Variables with which wrangler sends nothing. */
export const quiet = {
  CI: '1',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  WRANGLER_SEND_METRICS: 'false',
  // the banner asks the registry for a newer wrangler
  WRANGLER_HIDE_BANNER: 'true',
}

const wrangler = join(import.meta.dirname, '../../node_modules/wrangler/bin/wrangler.js')

/**
 * Starts `wrangler dev` on a free port of 127.0.0.1, with storage of its own, and waits until it
 * serves.
 *
 * @throws {Error} with all that it printed, when it ends or stays silent for 60 seconds.
 */
export function startWranglerDev(options: WranglerDevOptions = {}): Promise<WranglerDev> {
  return startOnFreePort((port) => startOn(port, options))
}

async function startOn(port: number, options: WranglerDevOptions): Promise<WranglerDev> {
  const url = `http://127.0.0.1:${port}`
  // by default several that start at once all choose the same one
  const inspectorPort = await findFreePort()
  const folder = await mkdtemp(join(tmpdir(), 'wrangler-dev-'))
  const log = join(folder, 'wrangler.log')
  const vars = Object.entries(options.vars?.(url) ?? {}).map(
    ([key, value]) => `--var=${key}:${value}`,
  )
  const child = spawn(
    process.execPath,
    [
      wrangler,
      'dev',
      `--port=${port}`,
      `--inspector-port=${inspectorPort}`,
      `--persist-to=${options.persist ?? join(folder, 'state')}`,
      ...vars,
    ],
    {
      cwd: options.cwd ?? join(import.meta.dirname, '../..'),
      env: {
        ...process.env,
        ...quiet,
        WRANGLER_LOG_PATH: folder,
      },
      // wrangler starts esbuild and workerd: a group of its own ends them all at once
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )

  const clean = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 3 })
  const stop = (): Promise<void> => end(child).then(clean)
  const kill = (): Promise<void> => end(child, 'SIGKILL').then(clean)

  try {
    await waitUntilReady(child, log)
    return { url, log, stop, kill }
  } catch (error) {
    await stop()
    throw error
  }
}

function waitUntilReady(child: ChildProcess, log: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let printed = ''
    const giveUp = (): void => {
      clearTimeout(timer)
      reject(new Error(`wrangler dev does not serve. It printed:\n${printed}`))
    }
    const timer = setTimeout(giveUp, 60_000)
    const read = (chunk: Buffer): void => {
      appendFileSync(log, chunk)
      printed += chunk.toString()
      if (!printed.includes('Ready on http://')) return
      clearTimeout(timer)
      resolve()
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    // not at its exit: what it printed last, such as why it ended, may come after that
    child.once('close', giveUp)
  })
}

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  process.kill(-child.pid, signal)
  const inTime = await Promise.race([ended, wait(5_000, null, { ref: false })])
  if (inTime === null) process.kill(-child.pid, 'SIGKILL')
  await ended
}
