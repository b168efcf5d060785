/*
 * CPU per request of a Helve server with twenty tools, as a multiple of a Worker that reads the JSON
 * and answers a constant. All run in workerd on this machine and are asked in turn, round by round, so
 * that a slow minute slows all. The floor is there twice: the second one shows how far the numbers can
 * be trusted. Usage: npm run bench
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { toModernBody, toModernHeaders } from '../support/modern-request.ts'

const rounds = 16
const requestsARound = 1_500
const connections = 2

interface Server {
  readonly process: ChildProcess
  readonly port: number
}

async function start(name: string, entry: string, folder: string): Promise<Server> {
  await build({
    entryPoints: [join(import.meta.dirname, entry)],
    outfile: join(folder, `${name}.js`),
    bundle: true,
    format: 'esm',
    target: 'es2024',
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
  return { process: spawn(String(binary), ['serve', config], { stdio: 'inherit' }), port }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** CPU microseconds that all threads of a process have used. */
function cpuOf({ process: { pid } }: Server): number {
  return readdirSync(`/proc/${pid}/task`)
    .map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0])
    .reduce((sum, nanoseconds) => sum + Number(nanoseconds) / 1_000, 0)
}

const agent = new Agent({ keepAlive: true, maxSockets: connections })

function ask({ port }: Server, method: string, params: object): Promise<number> {
  const body = toModernBody(method, params)
  const headers = { ...toModernHeaders(method, params), 'Content-Length': Buffer.byteLength(body) }
  const options = { host: '127.0.0.1', port, path: '/mcp', method: 'POST', headers, agent }
  return new Promise((done, failed) => {
    const sent = request(options, (response) => {
      response.resume().on('end', () => done(response.statusCode ?? 0))
    })
    sent.on('error', failed).end(body)
  })
}

/** CPU microseconds that one request takes, over a round of them. */
async function round(server: Server, method: string, params: object): Promise<number> {
  const before = cpuOf(server)
  let left = requestsARound
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      const status = await ask(server, method, params)
      if (status !== 200) throw new Error(`${method} was answered ${status}`)
    }
  }
  await Promise.all(Array.from({ length: connections }, worker))
  return (cpuOf(server) - before) / requestsARound
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const folder = mkdtempSync(join(tmpdir(), 'helve-bench-'))
const floor = await start('floor', 'floor.js', folder)
const helve = await start('helve', 'worker.ts', folder)
const again = await start('again', 'floor.js', folder)
try {
  await new Promise((done) => setTimeout(done, 1_000))
  const input = { item: 'whisks', count: 3, place: 'Ulm' }
  const cases = [
    ['tools/call', { name: 'tool_7', arguments: input }],
    ['tools/list', {}],
  ] as const
  for (const [method, params] of cases) {
    for (const server of [floor, helve, again]) await round(server, method, params)
    const seen: { floor: number; helve: number; again: number }[] = []
    for (let turn = 0; turn < rounds; turn += 1) {
      seen.push({
        floor: await round(floor, method, params),
        helve: await round(helve, method, params),
        again: await round(again, method, params),
      })
    }
    const ratio = median(seen.map((one) => one.helve / one.floor)).toFixed(2)
    const noise = median(seen.map((one) => one.again / one.floor)).toFixed(2)
    const [low, high] = [median(seen.map((one) => one.floor)), median(seen.map((one) => one.helve))]
    console.log(
      `${method}: floor ${low.toFixed(0)} us, helve ${high.toFixed(0)} us, ` +
        `ratio ${ratio} (floor against itself: ${noise})`,
    )
  }
} finally {
  agent.destroy()
  for (const server of [floor, helve, again]) server.process.kill()
  rmSync(folder, { recursive: true })
}
