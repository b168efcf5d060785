import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

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
  readonly vars?: Readonly<Record<string, string>>
  /** A free one unless said otherwise. */
  readonly port?: number
  /** The folder that keeps its storage when it has ended; a temporary one unless said otherwise. */
  readonly persist?: string
}

const wrangler = join(import.meta.dirname, '../../node_modules/wrangler/bin/wrangler.js')

/**
 * Starts `wrangler dev` on a free port of 127.0.0.1, with storage of its own, and waits until it
 * serves.
 *
 * @throws {Error} with all that it printed, when it ends or stays silent for 60 seconds.
 */
export async function startWranglerDev(options: WranglerDevOptions = {}): Promise<WranglerDev> {
  const folder = await mkdtemp(join(tmpdir(), 'wrangler-dev-'))
  const log = join(folder, 'wrangler.log')
  const vars = Object.entries(options.vars ?? {}).map(([key, value]) => `--var=${key}:${value}`)
  const child = spawn(
    process.execPath,
    [
      wrangler,
      'dev',
      `--port=${options.port ?? 0}`,
      `--persist-to=${options.persist ?? join(folder, 'state')}`,
      ...vars,
    ],
    {
      cwd: options.cwd ?? join(import.meta.dirname, '../..'),
      env: {
        ...process.env,
        CI: '1',
        CLOUDFLARE_CF_FETCH_ENABLED: 'false',
        WRANGLER_SEND_METRICS: 'false',
        // the banner asks the registry for a newer wrangler
        WRANGLER_HIDE_BANNER: 'true',
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
    return { url: await readUrl(child, log), log, stop, kill }
  } catch (error) {
    await stop()
    throw error
  }
}

function readUrl(child: ChildProcess, log: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = ''
    const giveUp = (): void =>
      reject(new Error(`wrangler dev does not serve. It printed:\n${printed}`))
    const timer = setTimeout(giveUp, 60_000)
    const read = (chunk: Buffer): void => {
      appendFileSync(log, chunk)
      printed += chunk.toString()
      const [, port] = /Ready on http:\/\/\S+:(\d+)/.exec(printed) ?? []
      if (port === undefined) return
      clearTimeout(timer)
      resolve(`http://127.0.0.1:${port}`)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', giveUp)
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
