import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { callTool } from '../support/call-tool.ts'
import { everythingHosts, type Everything } from '../support/everything.ts'
import { openCall, type OpenCall } from '../support/open-call.ts'

const place = 'hold_place'
const forms = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } }
const soon = { timeout: 15_000, interval: 50 }

/* What a request holds: freed when its connection ends, or its result is kept. */
describe.concurrent.each(everythingHosts)('what a call of %s holds', (_, start) => {
  let app: Everything
  beforeAll(async () => {
    app = await start()
  }, 90_000)
  afterAll(() => app.stop())

  const open = (name: string, input: object, round: object = {}): Promise<OpenCall> =>
    openCall(
      app.endpoint,
      'tools/call',
      { name, arguments: input, ...round },
      // each message is a write, at which a client that has disconnected is noticed
      { meta: { ...forms, progressToken: 'p' } },
    )
  const beats = async (key: string): Promise<number> =>
    Number((await callTool(app.endpoint, 'count_beats', { key })).value['beats'])
  const isFree = async (): Promise<boolean> =>
    (await callTool(app.endpoint, place, { key: 'probe', beats: 1 })).text === 'Held.'
  const isDead = async (key: string): Promise<boolean> => {
    const counted = await beats(key)
    await wait(500)
    return (await beats(key)) === counted
  }
  const total = async (): Promise<unknown> =>
    (await callTool(app.endpoint, 'till_total')).value['total']

  it('a place of `parallel` is free when the work is dead, soon after its client or time is gone', async ({
    expect,
  }) => {
    const key = crypto.randomUUID()
    const held = await open(place, { key, beats: 1_200 })
    expect(await isFree()).toBe(false)
    held.leave()
    const left = performance.now()
    await expect.poll(isFree, soon).toBe(true)
    // two comments, which a second separates, and half a second for the work
    expect(performance.now() - left).toBeLessThan(4_500)
    expect(await isDead(key)).toBe(true)

    // the same at its time limit: work that ignores it has half a second to react
    const next = crypto.randomUUID()
    const late = await open(place, { key: next, beats: 1_200 })
    expect(JSON.stringify(await late.ended)).toContain('did not finish within 6s')
    const ended = performance.now()
    const atEnd = await beats(next)
    expect(await isFree()).toBe(false)
    await expect.poll(isFree, soon).toBe(true)
    expect(performance.now() - ended).toBeLessThan(2_000)
    expect(await beats(next)).toBeGreaterThan(atEnd)
    expect(await isDead(next)).toBe(true)
  }, 60_000)

  it('a run that must not be repeated is finished, and the next sender waits for its result', async ({
    expect,
  }) => {
    const before = Number(await total())
    const input = { amount: 3, holdMs: 5_000 }
    const { requestState } = await callTool(app.endpoint, 'once_pay', input)
    const round = {
      inputResponses: { confirm: { action: 'accept', content: { pay: true } } },
      requestState,
    }
    const began = performance.now()
    const first = await open('once_pay', input, round)
    first.leave()
    await wait(1_500)
    const paid = { paid: 3, total: before + 3 }
    expect((await callTool(app.endpoint, 'once_pay', input, round)).value).toEqual(paid)
    expect(performance.now() - began).toBeGreaterThan(4_500)
    expect(performance.now() - began).toBeLessThan(9_000)
    expect((await callTool(app.endpoint, 'once_pay', input, round)).value).toEqual(paid)
    expect(await total()).toBe(before + 3)
  })
})
