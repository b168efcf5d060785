import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { build } from 'esbuild'

/** A Worker in a workerd of its own, whose CPU time can be read. */
export interface MeasuredServer {
  readonly name: string
  readonly process: ChildProcess
  readonly port: number
}

/** Bundles the Worker that `entry` exports into `folder`, and starts it. */
export async function startMeasured(
  name: string,
  entry: string,
  folder: string,
): Promise<MeasuredServer> {
  await build({
    entryPoints: [entry],
    outfile: join(folder, `${name}.js`),
    bundle: true,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker'],
    external: ['cloudflare:*'],
    logLevel: 'error',
  })
  const port = await freePort()
  const config = join(folder, `${name}.capnp`)
  writeFileSync(
    config,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "main", esModule = embed "${name}.js")], compatibilityDate = "2026-11-02"
  ))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]
);
`,
  )
  const binary: unknown = createRequire(import.meta.url)('workerd').default
  return { name, process: spawn(String(binary), ['serve', config], { stdio: 'inherit' }), port }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** CPU microseconds that all threads of a server have used. */
export function cpuOf({ process: { pid } }: MeasuredServer): number {
  return readdirSync(`/proc/${pid}/task`)
    .map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0])
    .reduce((sum, nanoseconds) => sum + Number(nanoseconds) / 1_000, 0)
}
