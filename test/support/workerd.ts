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

/** The namespaces of the fixture's Durable Objects, as a worker that defines them has them. */
const namespaces = `[${['Handles', 'Hub', 'Bridge', 'Till']
  .map((name) => `(className = "${name}", uniqueKey = "everything-${name}", enableSql = true)`)
  .join(', ')}]`

/** What every worker that serves the fixture needs: what test/everything/wrangler.toml says. */
export const commonConfig = `compatibilityDate = "2026-11-02",
      compatibilityFlags = ["enable_request_signal"]`

/** What a worker needs besides to define the Durable Objects of the fixture. */
export const objectsConfig = `durableObjectNamespaces = ${namespaces},
      durableObjectStorage = (localDisk = "storage")`

/**
 * Bundles the conformance fixture as a deployment would and serves it with workerd's own binary, on
 * a port of 127.0.0.1 that the system chooses.
 *
 * @throws {Error} with all that it printed, when it ends or does not listen within 30 seconds.
 */
export async function startWorkerd({ persist }: WorkerdOptions = {}): Promise<Workerd> {
  const services = `(name = "main", worker = (
      modules = [(name = "worker.js", esModule = embed "worker.js")],
      ${commonConfig},
      ${objectsConfig},
      bindings = [
        (name = "TILL", durableObjectNamespace = "Till"),
        (name = "HUB", durableObjectNamespace = "Hub"),
      ],
    ))`
  const { urls, stop } = await serveServices({ services, served: ['main'], persist })
  return { url: urls['main'] ?? '', stop, kill: stop }
}

/** What {@link serveServices} runs. */
export interface ServiceOptions {
  /** Workers, in workerd's own language; the bundle of the fixture is the file worker.js. */
  readonly services: string
  /** The names of those that get a port. */
  readonly served: readonly string[]
  /** More files, by name, that `services` may embed. */
  readonly files?: Readonly<Record<string, string>>
  readonly persist?: string | undefined
}

/** Serves workers that are made of the fixture's bundle, all of them in one process. */
export async function serveServices({ services, served, files = {}, persist }: ServiceOptions) {
  const folder = await mkdtemp(join(tmpdir(), 'workerd-'))
  const storage = persist ?? join(folder, 'storage')
  await mkdir(storage, { recursive: true })
  await promisify(execFile)(
    process.execPath,
    [wrangler, 'deploy', '--dry-run', `--outdir=${folder}`],
    { cwd, env: { ...process.env, CI: '1', WRANGLER_SEND_METRICS: 'false' } },
  )
  const config = join(folder, 'config.capnp')
  const written = { ...files, 'config.capnp': toConfig(services, served, storage) }
  await Promise.all(
    Object.entries(written).map(([file, text]) => writeFile(join(folder, file), text)),
  )
  const binary: unknown = createRequire(import.meta.url)('workerd').default
  const child = spawn(String(binary), ['serve', config, '--control-fd=3'], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  let printed = ''
  child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (printed += chunk.toString()))

  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit')
      // on SIGTERM it would wait for its open streams to end
      child.kill('SIGKILL')
      await ended
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
  try {
    return { urls: await readUrls(child, served), stop, printed: () => printed }
  } catch {
    await stop()
    throw new Error(`workerd does not serve. It printed:\n${printed}`)
  }
}

/** Adds the storage and the ports. */
function toConfig(services: string, served: readonly string[], storage: string): string {
  const sockets = served.map(
    (name) => `(name = "${name}", address = "127.0.0.1:0", http = (), service = "${name}")`,
  )
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    ${services},
    (name = "storage", disk = (path = "${storage}", writable = true)),
  ],
  sockets = [${sockets.join(', ')}],
);
`
}

/** Waits until workerd reports, on its control descriptor, the ports that it listens on. */
async function readUrls(
  child: ChildProcess,
  served: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const control = child.stdio[3]
  if (!(control instanceof Readable)) throw new Error('workerd has no control descriptor.')
  const signal = AbortSignal.timeout(30_000)
  let reported = ''
  for await (const chunk of addAbortSignal(signal, control)) {
    reported += String(chunk)
    const found = [...reported.matchAll(/"event":"listen","socket":"(\w+)","port":(\d+)/g)]
    const urls = Object.fromEntries(
      found.map(([, name = '', port]) => [name, `http://127.0.0.1:${port}`]),
    )
    if (served.every((name) => name in urls)) return urls
  }
  throw new Error('workerd ended.')
}
