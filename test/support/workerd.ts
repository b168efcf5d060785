import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addAbortSignal, Readable } from 'node:stream'
import { promisify } from 'node:util'

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
 * a port of 127.0.0.1 that the system chooses.
 *
 * @throws {Error} with all that it printed, when it ends or does not listen within 30 seconds.
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
  const config = join(folder, 'config.capnp')
  await writeFile(config, toConfig(storage))
  const binary: unknown = createRequire(import.meta.url)('workerd').default
  const child = spawn(String(binary), ['serve', config, '--control-fd=3'], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  let printed = ''
  child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (printed += chunk.toString()))

  const end = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit')
      // on SIGTERM it would wait for its open streams to end
      child.kill('SIGKILL')
      await ended
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
  try {
    const port = await readPort(child)
    return { url: `http://127.0.0.1:${port}`, stop: end, kill: end }
  } catch {
    await end()
    throw new Error(`workerd does not serve. It printed:\n${printed}`)
  }
}

/** Says to workerd what test/everything/wrangler.toml says to wrangler. */
function toConfig(storage: string): string {
  const classes = ['Handles', 'Hub', 'Bridge', 'Till'].map(
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
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`
}

/** Waits until workerd reports, on its control descriptor, the port that it listens on. */
async function readPort(child: ChildProcess): Promise<number> {
  const control = child.stdio[3]
  if (!(control instanceof Readable)) throw new Error('workerd has no control descriptor.')
  const signal = AbortSignal.timeout(30_000)
  let reported = ''
  for await (const chunk of addAbortSignal(signal, control)) {
    reported += String(chunk)
    const [, port] = /"event":"listen","socket":"http","port":(\d+)/.exec(reported) ?? []
    if (port !== undefined) return Number(port)
  }
  throw new Error('workerd ended.')
}
