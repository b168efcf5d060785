/*
 * CPU per request of Helve with twenty tools, and of its peers with the same, as multiples of a Worker
 * that reads the JSON and answers a constant. README.md says how. Usage: npm run bench [-- --quick]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { beginSession, toolAsks, type Ask } from './ask.ts'
import { bundle } from './bundle.ts'
import { printCaching } from './caching/measure.ts'
import { buildProject, toToolModules } from './helve/project.ts'
import { createIssuer } from './issuer.ts'
import { toHelveMain, toPeerMain } from './mains.ts'
import { installPeers } from './peers/install.ts'
import { measureRounds, type Cell, type Outcome } from './rounds.ts'
import { printTable, toLow } from './statistics.ts'
import { prepare, start, stop, type Prepared, type Server } from './workerd.ts'

interface Contender {
  readonly prepared: Prepared
  /** What its requests have beyond those of others. */
  readonly more: Pick<Ask, 'token' | 'legacy' | 'session'>
  /** Whether its clients have a session, which begins with `initialize`. */
  readonly hasSession?: boolean
}

const toolCount = 20
const passCount = 2
const asks = [toolAsks.call, toolAsks.list]
const isQuick = process.argv.includes('--quick')
const [seconds, cachingSeconds] = isQuick ? [45, 0] : [150, 36]

async function prepareAll(folder: string): Promise<readonly Contender[]> {
  const { token, worker: network } = await createIssuer()
  const plain = buildProject('plain', toToolModules(toolCount, false))
  const checked = buildProject('checked', toToolModules(toolCount, true))
  const of = async (
    name: string,
    main: string,
    more: Contender['more'] = {},
    network?: string,
  ): Promise<Contender> => {
    return { prepared: prepare(name, (await bundle(main)).code, folder, network), more }
  }
  const peer = (name: string, withOutput: boolean) => toPeerMain(name, toolCount, withOutput)
  const legacy = { legacy: '2025-06-18' } as const
  const newest = { legacy: '2025-11-25' } as const
  return Promise.all([
    of('bare Worker', peer('floor', false)),
    of('helve', toHelveMain(plain)),
    of('helve, output schema', toHelveMain(checked)),
    of('helve, audit', toHelveMain(plain, 'helve/serve', '{ audit: {} }')),
    of('helve, jwt and limit', toHelveMain(plain, 'helve/authorized'), { token }, network),
    of('helve, 2025-11-25', toHelveMain(plain), newest).then(withSession),
    of('helve, 2025-06-18', toHelveMain(plain), legacy),
    of('mcp-lite, 2025-06-18', peer('mcp-lite', false), legacy),
    of('mcp-lite, output schema', peer('mcp-lite', true), legacy),
    of('sdk', peer('sdk', false)),
    of('sdk, output schema', peer('sdk', true)),
    of('agents', peer('agents', false)),
    of('agents, output schema', peer('agents', true)),
    of('bare Worker again', peer('floor', false)),
  ])
}

const withSession = (contender: Contender): Contender => ({ ...contender, hasSession: true })

/** What the requests to a server have that has started. */
async function toMore(server: Server, { more, hasSession }: Contender): Promise<Contender['more']> {
  const { legacy } = more
  if (hasSession !== true || legacy === undefined) return more
  return { ...more, session: await beginSession(server, legacy) }
}

/** Each pass has processes of its own: one and the same code is compiled and laid out by chance. */
async function runPass(contenders: readonly Contender[]): Promise<readonly Outcome[]> {
  const servers: Server[] = []
  const cells: Cell[] = []
  try {
    for (const contender of contenders) {
      const server = await start(contender.prepared)
      servers.push(server)
      const more = await toMore(server, contender)
      cells.push(...asks.map((ask) => ({ server, ask: { ...ask, ...more } })))
    }
    return await measureRounds(cells, seconds / passCount)
  } finally {
    await Promise.all(servers.map(stop))
  }
}

/** The rounds of a cell in each pass. */
type ByPass = readonly (readonly number[])[]

function toCells(passes: ByPass, floors: ByPass): readonly string[] {
  if (passes.flat().length === 0) return ['', 'refused', '']
  const low = toLow(passes.flat())
  const ratios = passes.map((cpu, pass) => (toLow(cpu) / toLow(floors[pass] ?? [])).toFixed(2))
  return [low.toFixed(0), (low / toLow(floors.flat())).toFixed(2), ratios.join(' ')]
}

function print(names: readonly string[], passes: readonly (readonly Outcome[])[]): void {
  const toByPass = (server: number, kind: number): ByPass =>
    passes.map((outcomes) => outcomes[server * asks.length + kind]?.cpu ?? [])
  // both bare Workers, the first and the last in the table
  const floors = asks.map((_, kind) => {
    const last = toByPass(names.length - 1, kind)
    return toByPass(0, kind).map((cpu, pass) => [...cpu, ...(last[pass] ?? [])])
  })
  const rows = names.map((name, server) => [
    name,
    ...floors.flatMap((floor, kind) => toCells(toByPass(server, kind), floor)),
  ])
  const head = asks.flatMap(({ method }) => [`${method} us`, 'ratio', 'by pass'])
  printTable([['', ...head], ...rows])
  const rounds = toByPass(0, 0).map(({ length }) => length)
  console.log(`
CPU time of workerd, user and system, a request. ${toolCount} tools. ${passCount} passes, each with new
processes, a warm-up and then short rounds of all in turn (${rounds.join(' and ')}): the lower quartile of all,
since what else runs only adds. Ratios are to both bare Workers', of all rounds and of each pass. How far
the two are from each other, and the passes of one server, is the noise.`)
}

installPeers()
const folder = mkdtempSync(join(tmpdir(), 'helve-bench-'))
try {
  const contenders = await prepareAll(folder)
  const passes: (readonly Outcome[])[] = []
  for (let pass = 0; pass < passCount; pass += 1) passes.push(await runPass(contenders))
  print(
    contenders.map(({ prepared }) => prepared.name),
    passes,
  )
  if (cachingSeconds > 0) await printCaching(folder, cachingSeconds)
} finally {
  rmSync(folder, { recursive: true })
}
