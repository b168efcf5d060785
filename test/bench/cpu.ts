/*
 * CPU per request of the example shop, as a multiple of a Worker that reads the JSON and answers a
 * constant. Both run in workerd on this machine and are asked in turn, round by round, so that a slow
 * minute slows both. Usage: npm run bench
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { toModernBody, toModernHeaders } from '../support/modern-request.ts'

const rounds = 8
const requestsARound = 4_000
const connections = 4
const root = resolve(import.meta.dirname, '../..')

interface Server {
  readonly process: ChildProcess
  readonly port: number
}

async function start(name: string, modules: readonly string[], folder: string): Promise<Server> {
  const port = await freePort()
  const config = join(folder, `${name}.capnp`)
  const files = modules.map((file) => `(name = "${file}", esModule = embed "${file}")`)
  writeFileSync(
    config,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [${files.join(', ')}], compatibilityDate = "2026-11-02",
      bindings = [
        (name = "WEATHER_API", text = ""), (name = "GEOCODING_API", text = ""),
        (name = "FLAGS", kvNamespace = "flags"),
      ],
    )),
    # a KV namespace without a key
    (name = "flags", worker = (
      modules = [(name = "flags.js", esModule = "export default { fetch: () => new Response(null, { status: 404 }) }")],
      compatibilityDate = "2026-11-02",
    )),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]
);
`,
  )
  const binary: unknown = createRequire(import.meta.url)('workerd').default
  const process = spawn(String(binary), ['serve', config], { stdio: 'inherit' })
  return { process, port }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** CPU seconds that a process has used: user and system time of /proc/PID/stat, in ticks of 10 ms. */
function cpuOf({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

const agent = new Agent({ keepAlive: true, maxSockets: connections })

function ask(port: number, method: string, params: object): Promise<number> {
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

async function round({ process, port }: Server, method: string, params: object): Promise<number> {
  const before = cpuOf(process)
  let left = requestsARound
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      const status = await ask(port, method, params)
      if (status !== 200) throw new Error(`${method} was answered ${status}`)
    }
  }
  await Promise.all(Array.from({ length: connections }, worker))
  return ((cpuOf(process) - before) / requestsARound) * 1e6
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const folder = mkdtempSync(join(tmpdir(), 'helve-bench-'))
execFileSync('npx', ['wrangler', 'deploy', '--dry-run', '--outdir', folder], { cwd: root })
writeFileSync(join(folder, 'floor.js'), readFileSync(join(import.meta.dirname, 'floor.js')))
const bundle = readdirSync(folder).filter((file) => file === 'worker.js')
const floor = await start('floor', ['floor.js'], folder)
const shop = await start('shop', bundle, folder)
try {
  await new Promise((done) => setTimeout(done, 1_000))
  const price = { amount: 10, from: 'EUR', to: 'USD' }
  const cases = [
    ['tools/call', { name: 'convert_price', arguments: price }],
    ['tools/list', {}],
  ] as const
  for (const [method, params] of cases) {
    await round(floor, method, params)
    await round(shop, method, params)
    const pairs: { floor: number; shop: number }[] = []
    for (let turn = 0; turn < rounds; turn += 1) {
      pairs.push({
        floor: await round(floor, method, params),
        shop: await round(shop, method, params),
      })
    }
    const [low, high] = [median(pairs.map((p) => p.floor)), median(pairs.map((p) => p.shop))]
    const ratio = median(pairs.map((pair) => pair.shop / pair.floor))
    console.log(
      `${method}: floor ${low.toFixed(0)} us, shop ${high.toFixed(0)} us, ratio ${ratio.toFixed(2)}`,
    )
  }
} finally {
  agent.destroy()
  floor.process.kill()
  shop.process.kill()
  rmSync(folder, { recursive: true })
}
