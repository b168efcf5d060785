import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'

/** A Worker whose bundle and configuration are written. */
export interface Prepared {
  readonly name: string
  readonly config: string
}

export interface Server {
  readonly name: string
  readonly process: ChildProcess
  readonly port: number
}

/**
 * Writes what workerd needs to serve this code into `folder`. `network` is the code of a Worker that is
 * asked in place of the network.
 */
export function prepare(name: string, code: string, folder: string, network?: string): Prepared {
  const file = name.replaceAll(/\W+/g, '-')
  // this date has nodejs_compat, which agents needs
  const date = 'compatibilityDate = "2026-11-02"'
  const services = [
    `(name = "main", worker = (modules = [(name = "main", esModule = embed "${file}.js")], ${date},
      bindings = [(name = "STATE_KEY", text = "${'k'.repeat(44)}")]
      ${network === undefined ? '' : ', globalOutbound = "network"'}))`,
  ]
  writeFileSync(join(folder, `${file}.js`), code)
  if (network !== undefined) {
    const embedded = `esModule = embed "${file}-network.js"`
    services.push(
      `(name = "network", worker = (modules = [(name = "main", ${embedded})], ${date}))`,
    )
    writeFileSync(join(folder, `${file}-network.js`), network)
  }
  const config = join(folder, `${file}.capnp`)
  writeFileSync(
    config,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [${services.join(',\n    ')}],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
`,
  )
  return { name, config }
}

const binary = String(createRequire(import.meta.url)('workerd').default)

/**
 * Serves on a port that the system chooses, and resolves as soon as workerd listens.
 *
 * @throws {Error} where it ends instead.
 */
export async function start({ name, config }: Prepared): Promise<Server> {
  // what the Worker logs costs it the same when nobody reads it
  const child = spawn(binary, ['serve', config, '--control-fd=3'], {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  })
  const control = child.stdio[3]
  if (!(control instanceof Readable)) throw new Error('workerd has no control pipe.')
  const lines = createInterface(control)
  const [line = ''] = await Promise.race([
    once(lines, 'line'),
    once(child, 'exit').then((): string[] => []),
  ])
  const port = Number(/"port":\s*(\d+)/.exec(String(line))?.[1])
  if (Number.isNaN(port)) throw new Error(`workerd does not serve ${name}.`)
  return { name, process: child, port }
}

export async function stop({ process: child }: Server): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** CPU microseconds, of the user and of the system, that all threads of a server have used. */
export function readCpu({ process: { pid } }: Server): number {
  return readdirSync(`/proc/${pid}/task`)
    .map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0])
    .reduce((sum, nanoseconds) => sum + Number(nanoseconds) / 1_000, 0)
}
