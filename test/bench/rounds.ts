import { Agent } from 'node:http'
import { findFault, send, toMessage, type Ask } from './ask.ts'
import { readCpu, type Server } from './workerd.ts'

/** Something to be measured: a server, and what it is asked. */
export interface Cell {
  readonly server: Server
  readonly ask: Ask
}

/** What came of one: the CPU microseconds of a request in each round, or why it was left out. */
export type Outcome =
  | { readonly cpu: readonly number[]; readonly fault: null }
  | { readonly cpu: null; readonly fault: string }

/** How long one is asked at a time; and before that, until what the others displaced is back. */
const [roundMs, settleMs] = [60, 15]
/** So many are asked at once that waking a sleeping process, which is no Worker's work, weighs little. */
const connections = 16
/** The share of the time before anything counts: V8 compiles what runs often. */
const warmUp = 0.3

/**
 * Asks all of these in turn, in many short rounds until the time is over, so that whatever else runs
 * on this machine slows all.
 *
 * @throws {Error} where one answers otherwise than it did at first.
 */
export async function measureRounds(
  cells: readonly Cell[],
  seconds: number,
): Promise<readonly Outcome[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  try {
    const all = await Promise.all(
      cells.map(async (cell) => ({ ...cell, cpu: [], fault: await probe(cell, agent) })),
    )
    const able = all.filter(({ fault }) => fault === null)
    await runUntil(able, Date.now() + seconds * warmUp * 1_000, agent)
    for (const { cpu } of able) cpu.length = 0
    await runUntil(able, Date.now() + seconds * (1 - warmUp) * 1_000, agent)
    return all.map(({ cpu, fault }) => (fault === null ? { cpu, fault } : { cpu: null, fault }))
  } finally {
    agent.destroy()
  }
}

async function probe({ server, ask }: Cell, agent: Agent): Promise<string | null> {
  return findFault(ask, await send(server, toMessage(ask), agent))
}

type Running = Cell & { readonly cpu: number[] }

async function runUntil(all: readonly Running[], deadline: number, agent: Agent): Promise<void> {
  // there and back, so that no one always follows the same other
  for (let order = all; Date.now() < deadline; order = order.toReversed()) {
    for (const one of order) one.cpu.push(await runRound(one, agent))
  }
}

async function runRound({ server, ask }: Cell, agent: Agent): Promise<number> {
  const message = toMessage(ask)
  const askFor = async (milliseconds: number): Promise<number> => {
    const end = performance.now() + milliseconds
    let asked = 0
    const askOn = async (): Promise<void> => {
      while (performance.now() < end) {
        const fault = findFault(ask, await send(server, message, agent))
        if (fault !== null) throw new Error(`${server.name} answered ${ask.method} with ${fault}`)
        asked += 1
      }
    }
    await Promise.all(Array.from({ length: connections }, askOn))
    return asked
  }
  await askFor(settleMs)
  const before = readCpu(server)
  const asked = await askFor(roundMs)
  return (readCpu(server) - before) / asked
}
