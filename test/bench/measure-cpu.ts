import { Agent, request } from 'node:http'
import { cpuOf, type MeasuredServer } from './measured-server.ts'
import { toModernBody, toModernHeaders } from '../support/modern-request.ts'

/** Many short rounds: what else runs on this machine can only add to one, so that low ones are true. */
const rounds = 40
const requestsARound = 200
/** Rounds before anything counts: V8 compiles what runs often, and nothing else does for long. */
const warmUp = 15
const connections = 2
/** The share of rounds that are below what is reported. */
const lowest = 1 / 8

/** Something to be measured: a server, and what it is asked. */
export interface Measured {
  readonly server: MeasuredServer
  readonly path: string
  readonly method: string
  readonly params: { readonly name?: string; readonly uri?: string; readonly arguments?: object }
}

/**
 * CPU microseconds of one request, for each of these. They are asked in turn, round by round, so that
 * a slow minute slows all.
 *
 * @throws {Error} where a request is answered with anything but 200.
 */
export async function measureCpu(all: readonly Measured[]): Promise<readonly number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const seen = all.map((): number[] => [])
  try {
    for (let turn = -warmUp; turn < rounds; turn += 1) {
      for (const [index, measured] of all.entries()) {
        const cpu = await round(measured, agent)
        if (turn >= 0) seen[index]?.push(cpu)
      }
    }
  } finally {
    agent.destroy()
  }
  return seen.map(toLow)
}

async function round(measured: Measured, agent: Agent): Promise<number> {
  const { server, method } = measured
  const before = cpuOf(server)
  let left = requestsARound
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      const status = await ask(measured, agent)
      if (status !== 200) throw new Error(`${server.name} answered ${method} with ${status}`)
    }
  }
  await Promise.all(Array.from({ length: connections }, worker))
  return (cpuOf(server) - before) / requestsARound
}

function ask({ server, path, method, params }: Measured, agent: Agent): Promise<number> {
  const body = toModernBody(method, params)
  const headers = {
    ...toModernHeaders(method, params),
    ...(params.uri !== undefined && { 'Mcp-Name': params.uri }),
    'Content-Length': Buffer.byteLength(body),
  }
  const options = { host: '127.0.0.1', port: server.port, path, method: 'POST', headers, agent }
  return new Promise((done, failed) => {
    const sent = request(options, (response) => {
      response.resume().on('end', () => done(response.statusCode ?? 0))
    })
    sent.on('error', failed).end(body)
  })
}

function toLow(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * lowest)] ?? Number.NaN
}
