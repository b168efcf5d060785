import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startGuarded, type Guarded, type GuardedCaller } from '../support/guarded.ts'

let app: Guarded
beforeAll(async () => {
  app = await startGuarded()
}, 90_000)
afterAll(() => app.stop())

/** A bucket of five a minute has a token more after so long. */
const refillMs = 12_000
const rushMs = 10_000

it('twenty callers who call too often each get exactly their share, and other callers do not wait', async () => {
  const pushy = await toCallers('pushy', 20)
  const [calm, late] = await toCallers('calm', 2)
  const start = performance.now()
  const isOver = (): boolean => performance.now() - start > rushMs
  const rush = pushy.map((who) => callUntil(who, 'limited', isOver))
  const beside = callUntil(calm, 'tool_open', isOver)
  const results = await Promise.all(rush)
  const share = 5 + Math.floor((performance.now() - start) / refillMs)

  const counts = results.map((texts) => texts.filter((text) => text === 'hello').length)
  for (const count of counts) {
    expect(count).toBeGreaterThanOrEqual(5)
    expect(count).toBeLessThanOrEqual(share)
  }
  const refusals = results.flat().filter((text) => text !== 'hello')
  // every one of them was over it, and by more than once
  expect(results.every((texts) => texts.length > 2 * share)).toBe(true)
  expect(refusals.every((text) => /5 times in 1m. Try again in \d+ seconds?\.$/.test(text))).toBe(
    true,
  )

  const calmly = await beside
  expect(calmly.length).toBeGreaterThan(10)
  expect(new Set(calmly)).toEqual(new Set(['hello']))
  const fresh = await Promise.all(Array.from({ length: 7 }, () => callText(late, 'limited')))
  expect(fresh.filter((text) => text === 'hello')).toHaveLength(5)
}, 60_000)

it('a caller has at most two slow calls running, whatever other callers do', async () => {
  const [eager, other] = await toCallers('eager', 2)
  const ms = 1_500
  const run = (who: GuardedCaller): Promise<string> => callText(who, 'slow', { ms })
  const both = await Promise.all([
    Promise.all([run(eager), run(eager), run(eager), run(eager)]),
    Promise.all([run(other), run(other)]),
  ])
  const [mine, others] = both
  expect(mine.filter((text) => text === 'hello')).toHaveLength(2)
  const refused = mine.filter((text) => text !== 'hello')
  expect(refused).toEqual([1, 2].map(() => expect.stringContaining('2 calls of it are running')))
  expect(others).toEqual(['hello', 'hello'])
  // both places are free again
  expect(await Promise.all([run(eager), run(eager)])).toEqual(['hello', 'hello'])
}, 30_000)

async function toCallers(
  name: string,
  count: number,
): Promise<[GuardedCaller, GuardedCaller, ...GuardedCaller[]]> {
  const toCaller = (index: number): Promise<GuardedCaller> => app.caller(`${name} ${index}`)
  const others = Array.from({ length: count - 2 }, (_, index) => toCaller(index + 2))
  return Promise.all([toCaller(0), toCaller(1), ...others])
}

/** Calls a tool again and again, and gives what each call came to. */
async function callUntil(
  who: GuardedCaller,
  name: string,
  isOver: () => boolean,
): Promise<readonly string[]> {
  const texts: string[] = []
  while (!isOver()) {
    // oxlint-disable-next-line no-await-in-loop -- one call at a time
    texts.push(await callText(who, name))
    // oxlint-disable-next-line no-await-in-loop
    await wait(100)
  }
  return texts
}

async function callText(who: GuardedCaller, name: string, input: object = {}): Promise<string> {
  const { body, text } = await who.call(name, input)
  return body.result?.content[0].text ?? text
}
