/*
 * CPU per request of a Helve server with twenty tools, and of the official SDK's with the same, as
 * multiples of a Worker that reads the JSON and answers a constant. All run in workerd on this machine
 * and are asked in turn, round by round, so that a slow minute slows all. The floor is there twice:
 * the second one shows how far the numbers can be trusted. Usage: npm run bench
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cpuOf, startMeasured, type MeasuredServer } from '../support/measured-server.ts'
import { toModernBody, toModernHeaders } from '../support/modern-request.ts'

/** Many short rounds: what else runs on this machine can only add to one, so that low ones are true. */
const rounds = 40
const requestsARound = 200
/** Rounds before anything counts: V8 compiles what runs often, and nothing else does for long. */
const warmUp = 15
const connections = 2
/** The share of rounds that are below what is reported. */
const lowest = 1 / 8

const sdk = '@modelcontextprotocol/server'

const agent = new Agent({ keepAlive: true, maxSockets: connections })

function ask({ port }: MeasuredServer, method: string, params: object): Promise<number> {
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
async function round(server: MeasuredServer, method: string, params: object): Promise<number> {
  const before = cpuOf(server)
  let left = requestsARound
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      const status = await ask(server, method, params)
      if (status !== 200) throw new Error(`${server.name} answered ${method} with ${status}`)
    }
  }
  await Promise.all(Array.from({ length: connections }, worker))
  return (cpuOf(server) - before) / requestsARound
}

/** CPU microseconds of one request, by server. */
async function measure(method: string, params: object): Promise<readonly number[]> {
  const seen = servers.map((): number[] => [])
  for (let turn = -warmUp; turn < rounds; turn += 1) {
    for (const [index, server] of servers.entries()) {
      const cpu = await round(server, method, params)
      if (turn >= 0) seen[index]?.push(cpu)
    }
  }
  return seen.map(toLow)
}

function toLow(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * lowest)] ?? Number.NaN
}

function findSdk(): readonly (readonly [string, string])[] {
  try {
    import.meta.resolve(sdk)
    return [['sdk', 'sdk.js']]
  } catch {
    console.log(`${sdk} is not installed, so that there is nothing to compare Helve with.`)
    return []
  }
}

const folder = mkdtempSync(join(tmpdir(), 'helve-bench-'))
const servers: MeasuredServer[] = []
try {
  const entries = [['floor', 'floor.js'], ['helve', 'worker.ts'], ...findSdk()] as const
  for (const [name, entry] of [...entries, ['floor again', 'floor.js'] as const]) {
    servers.push(await startMeasured(name, join(import.meta.dirname, entry), folder))
  }
  await new Promise((done) => setTimeout(done, 1_000))
  const input = { item: 'whisks', count: 3, place: 'Ulm' }
  const cases = [
    ['tools/call', { name: 'tool_7', arguments: input }],
    ['tools/list', {}],
  ] as const
  for (const [method, params] of cases) {
    const measured = await measure(method, params)
    const [floor = Number.NaN] = measured
    const texts = measured.map((cpu, index) => {
      return `${servers[index]?.name} ${cpu.toFixed(0)} us (x ${(cpu / floor).toFixed(2)})`
    })
    console.log(`${method}: ${texts.join(', ')}`)
  }
} finally {
  agent.destroy()
  for (const server of servers) server.process.kill()
  rmSync(folder, { recursive: true })
}
