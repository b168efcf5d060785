/*
 * From the start of the process to its first answer, with 1, 20 and 300 tools, less an empty Worker's.
 * README.md says how. Usage: npm run bench:start [-- --quick]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { findFault, send, toMessage, toolAsks, type Ask } from './ask.ts'
import { bundle } from './bundle.ts'
import { buildProject, toToolModules } from './helve/project.ts'
import { toHelveMain, toPeerMain } from './mains.ts'
import { installPeers } from './peers/install.ts'
import { printTable, toLow } from './statistics.ts'
import { prepare, readCpu, start, stop, type Prepared } from './workerd.ts'

interface Started {
  /** Milliseconds since the process was started. */
  readonly wall: number
  /** Milliseconds of CPU that it used until then. */
  readonly cpu: number
}

const asks = [toolAsks.list, toolAsks.call]
const counts = [1, 20, 300]
const toCount = (count: number): string => (count === 1 ? '1 tool' : `${count} tools`)
const seconds = process.argv.includes('--quick') ? 30 : 120

async function measureStart(prepared: Prepared, ask: Ask): Promise<Started> {
  const agent = new Agent()
  const message = toMessage(ask)
  const begin = performance.now()
  const server = await start(prepared)
  try {
    const answer = await send(server, message, agent)
    const started = { wall: performance.now() - begin, cpu: readCpu(server) / 1_000 }
    const fault = findFault(ask, answer)
    if (fault !== null) throw new Error(`${prepared.name} answered ${ask.method} with ${fault}`)
    return started
  } finally {
    agent.destroy()
    await stop(server)
  }
}

async function prepareAll(folder: string): Promise<readonly Prepared[]> {
  const of = async (name: string, main: string): Promise<Prepared> => {
    return prepare(name, (await bundle(main)).code, folder)
  }
  return Promise.all([
    of('an empty Worker', toPeerMain('floor', 0, false)),
    ...counts.map((count) => {
      const registry = buildProject(`start-${count}`, toToolModules(count, false))
      return of(`helve, ${toCount(count)}`, toHelveMain(registry))
    }),
    ...['sdk', 'agents'].flatMap((peer) =>
      counts.map((count) => of(`${peer}, ${toCount(count)}`, toPeerMain(peer, count, false))),
    ),
  ])
}

installPeers()
const folder = mkdtempSync(join(tmpdir(), 'helve-start-'))
try {
  const all = await prepareAll(folder)
  const cells = all.flatMap((prepared) =>
    asks.map((ask) => ({ prepared, ask, seen: new Array<Started>() })),
  )
  // the first start of each finds its files on the disk, the others in memory
  for (const { prepared, ask } of cells) await measureStart(prepared, ask)
  const deadline = Date.now() + seconds * 1_000
  while (Date.now() < deadline) {
    for (const { prepared, ask, seen } of cells) seen.push(await measureStart(prepared, ask))
  }
  const lows = cells.map(({ seen }) => [
    toLow(seen.map(({ wall }) => wall)),
    toLow(seen.map(({ cpu }) => cpu)),
  ])
  const rows = all.map(({ name }, index) => [
    name,
    ...asks.flatMap((_, kind) =>
      [0, 1].map((unit) => {
        const value = lows[index * asks.length + kind]?.[unit] ?? Number.NaN
        const empty = lows[kind]?.[unit] ?? Number.NaN
        return index === 0 ? value.toFixed(1) : `+${(value - empty).toFixed(1)}`
      }),
    ),
  ])
  const head = asks.flatMap(({ method }) => [`first ${method} ms`, 'CPU ms'])
  printTable([['', ...head], ...rows])
  console.log(`
From the start of workerd's process to the whole first answer, which is its only one; every row but
the first less an empty Worker's. Lower quartiles of ${cells[0]?.seen.length ?? 0} starts of each, all in turn.`)
} finally {
  rmSync(folder, { recursive: true })
}
