import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { callTool } from '../support/call-tool.ts'
import { everythingHosts, type Everything } from '../support/everything.ts'

/*
 * A server that is killed in the middle of its work, and another one that is started on the storage
 * it left. What was acknowledged is kept, and what was begun is never begun again.
 */
describe.each(everythingHosts)('after a crash of %s', (_, start) => {
  let storage: string
  let app: Everything
  let crash: Crash
  beforeAll(async () => {
    storage = await mkdtemp(join(tmpdir(), 'everything-'))
    crash = await crashAtWork(await start({ persist: storage }))
    app = await start({ persist: storage })
  }, 120_000)
  afterAll(async () => {
    await app.stop()
    await rm(storage, { recursive: true })
  })

  it('a handle has the changes of every acknowledged verb, and no others', async () => {
    const { counter, acknowledged, sent } = crash
    const { value } = (await callTool(app.endpoint, 'counter_get', { counter })).value
    expect(value).toBeGreaterThanOrEqual(acknowledged)
    expect(value).toBeLessThanOrEqual(sent)
  })

  it('a completed payment is not repeated, and its result is still stored', async () => {
    const again = await callTool(app.endpoint, ...crash.done)
    expect(again.value).toEqual({ paid: 20, total: 20 })
  })

  it('an interrupted payment is not repeated, and its outcome is reported as unknown', async () => {
    const again = await callTool(app.endpoint, ...crash.cutOff)
    expect(again).toMatchObject({
      isError: true,
      text: expect.stringContaining('how far it came is unknown'),
    })
    expect((await callTool(app.endpoint, 'till_total')).value).toEqual({ total: 25 })
  })

  it('a new payment runs once if it is confirmed several times concurrently', async () => {
    const round = await confirm(app, { amount: 1 })
    const results = await Promise.all([1, 2, 3].map(() => callTool(app.endpoint, ...round)))
    expect(results.map(({ value }) => value)).toEqual([1, 2, 3].map(() => ({ paid: 1, total: 26 })))
  })

  it('a handle that has expired meanwhile is gone, and the error says what to do', async () => {
    // longer than the two seconds that it lives: nobody was there to clear it away
    await wait(2_100)
    const { isError, text } = await callTool(app.endpoint, 'blink_get', { blink: crash.blink })
    expect(isError).toBe(true)
    expect(text).toContain('blink_create')
  })
})

type Call = readonly [name: string, input: object, round: object]

interface Crash {
  /** A handle that lives for two seconds. */
  readonly blink: unknown
  readonly counter: unknown
  /** How many times 1 was added to the counter, as far as the client was told. */
  readonly acknowledged: number
  readonly sent: number
  /** The last round of a payment of 20 that was done before. */
  readonly done: Call
  /** The last round of a payment of 5 that had not been answered. */
  readonly cutOff: Call
}

async function crashAtWork(app: Everything): Promise<Crash> {
  const { endpoint } = app
  const done = await confirm(app, { amount: 20 })
  await callTool(endpoint, ...done)

  const cutOff = await confirm(app, { amount: 5, holdMs: 20_000 })
  const broken = callTool(endpoint, ...cutOff).catch(() => 'broken off')
  await vi.waitFor(async () => {
    expect((await callTool(endpoint, 'till_total')).value).toEqual({ total: 25 })
  }, 10_000)

  const { counter } = (await callTool(endpoint, 'counter_create')).value
  let sent = 0
  let acknowledged = 0
  const addUntilItBreaks = async (): Promise<void> => {
    sent += 1
    try {
      await callTool(endpoint, 'counter_add', { counter, by: 1 })
    } catch {
      return
    }
    acknowledged += 1
    return addUntilItBreaks()
  }
  const clients = Array.from({ length: 8 }, addUntilItBreaks)
  await vi.waitFor(() => expect(acknowledged).toBeGreaterThan(100), 20_000)
  const { blink } = (await callTool(endpoint, 'blink_create')).value
  await app.kill()
  await Promise.all(clients)
  expect(await broken).toBe('broken off')
  return { blink, counter, acknowledged, sent, done, cutOff }
}

/** Begins a payment and makes the round that confirms it. */
async function confirm({ endpoint }: Everything, input: object): Promise<Call> {
  const { requestState } = await callTool(endpoint, 'once_pay', input)
  const confirm = { action: 'accept', content: { pay: true } }
  return ['once_pay', input, { inputResponses: { confirm }, requestState }]
}
