/*
 * CPU per request of a Helve server with twenty tools, and of the official SDK's with the same, as
 * multiples of a Worker that reads the JSON and answers a constant. All run in workerd on this
 * machine. The floor is there twice: the second one shows how far the numbers can be trusted. Then
 * the same of answers that cost something, made for each request and kept. Usage: npm run bench
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measureCpu, type Measured } from './measure-cpu.ts'
import { startMeasured, type MeasuredServer } from './measured-server.ts'

type Asked = Pick<Measured, 'method' | 'params'>

const input = { item: 'whisks', count: 3, place: 'Ulm' }
const plain: readonly Asked[] = [
  { method: 'tools/call', params: { name: 'tool_7', arguments: input } },
  { method: 'tools/list', params: {} },
]
const dear: readonly Asked[] = [
  { method: 'resources/list', params: {} },
  { method: 'resources/read', params: { uri: 'bench://catalog' } },
  { method: 'tools/call', params: { name: 'search', arguments: { query: 'steel' } } },
  { method: 'tools/call', params: { name: 'double', arguments: { number: 21 } } },
]

const folder = mkdtempSync(join(tmpdir(), 'helve-bench-'))
const servers: MeasuredServer[] = []

async function start(name: string, entry: string): Promise<MeasuredServer> {
  const server = await startMeasured(name, join(import.meta.dirname, entry), folder)
  servers.push(server)
  return server
}

function print(what: string, names: readonly string[], cpu: readonly number[]): void {
  const [first = Number.NaN] = cpu
  const texts = cpu.map((one, index) => {
    return `${names[index]} ${one.toFixed(0)} us (x ${(one / first).toFixed(2)})`
  })
  console.log(`${what}: ${texts.join(', ')}`)
}

try {
  const all = [
    await start('floor', 'floor.js'),
    await start('helve', 'worker.ts'),
    await start('sdk', 'sdk.js'),
    await start('floor again', 'floor.js'),
  ]
  const keeping = await start('caching', 'caching.ts')
  await new Promise((done) => setTimeout(done, 1_000))
  for (const asked of plain) {
    const cpu = await measureCpu(all.map((server) => ({ server, path: '/mcp', ...asked })))
    print(
      asked.method,
      all.map(({ name }) => name),
      cpu,
    )
  }
  const ways = ['/made', '/behind-listings', '/kept']
  for (const asked of dear) {
    const cpu = await measureCpu(ways.map((path) => ({ server: keeping, path, ...asked })))
    const of = asked.params.name ?? asked.params.uri ?? 'with 500 rows'
    print(`${asked.method} ${of}`, ways, cpu)
  }
} finally {
  for (const server of servers) server.process.kill()
  rmSync(folder, { recursive: true })
}
