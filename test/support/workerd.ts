import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { findFreePort } from './free-port.ts'

/** The conformance fixture in workerd, with nothing between it and its clients. */
export interface Workerd {
  /** Where it listens, without a closing slash. */
  readonly url: string
  stop(): Promise<void>
  /** Ends it as a crash would: nothing in it hears of it. */
  kill(): Promise<void>
}

export interface WorkerdOptions {
  /** The folder that keeps its storage when it has ended; a temporary one unless said otherwise. */
  readonly persist?: string
}

const cwd = join(import.meta.dirname, '../everything')
const wrangler = join(import.meta.dirname, '../../node_modules/wrangler/bin/wrangler.js')

/**
 * Bundles the conformance fixture as a deployment would and serves it with workerd's own binary, on
 * a free port of 127.0.0.1.
 *
 * @throws {Error} with all that it printed, when it ends or does not answer within 30 seconds.
 */
export async function startWorkerd({ persist }: WorkerdOptions = {}): Promise<Workerd> {
  const folder = await mkdtemp(join(tmpdir(), 'workerd-'))
  const storage = persist ?? join(folder, 'storage')
  await mkdir(storage, { recursive: true })
  await promisify(execFile)(
    process.execPath,
    [wrangler, 'deploy', '--dry-run', `--outdir=${folder}`],
    { cwd, env: { ...process.env, CI: '1', WRANGLER_SEND_METRICS: 'false' } },
  )
  const port = await findFreePort()
  const config = join(folder, 'config.capnp')
  await writeFile(config, toConfig(port, storage))
  const binary: unknown = createRequire(import.meta.url)('workerd').default
  const child = spawn(String(binary), ['serve', config], { stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()))

  const end = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit')
      // on SIGTERM it would wait for its open streams to end
      child.kill('SIGKILL')
      await ended
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
  const url = `http://127.0.0.1:${port}`
  try {
    await waitForAnswer(url, child, Date.now() + 30_000)
    return { url, stop: end, kill: end }
  } catch {
    await end()
    throw new Error(`workerd does not serve. It printed:\n${printed}`)
  }
}

/** Says to workerd what test/everything/wrangler.toml says to wrangler. */
function toConfig(port: number, storage: string): string {
  const classes = ['Handles', 'Hub', 'Till'].map(
    (name) => `(className = "${name}", uniqueKey = "everything-${name}", enableSql = true)`,
  )
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker.js", esModule = embed "worker.js")],
      compatibilityDate = "2026-11-02",
      compatibilityFlags = ["enable_request_signal"],
      durableObjectNamespaces = [${classes.join(', ')}],
      durableObjectStorage = (localDisk = "storage"),
      bindings = [
        (name = "TILL", durableObjectNamespace = "Till"),
        (name = "HUB", durableObjectNamespace = "Hub"),
      ],
    )),
    (name = "storage", disk = (path = "${storage}", writable = true)),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
`
}

async function waitForAnswer(url: string, child: ChildProcess, deadline: number): Promise<void> {
  if (child.exitCode !== null) throw new Error(`workerd ended with ${child.exitCode}.`)
  if (Date.now() > deadline) throw new Error('workerd does not answer.')
  try {
    await (await fetch(url)).body?.cancel()
  } catch {
    await wait(50)
    return waitForAnswer(url, child, deadline)
  }
}
