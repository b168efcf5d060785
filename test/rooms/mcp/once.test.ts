import { afterEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { form } from '../../../src/define/elicitation.ts'
import { ToolError } from '../../../src/define/reply.ts'
import { type ToolHints, defineTool } from '../../../src/define/tool.ts'
import { TimeLimitExceeded } from '../../../src/mcp/deadline.ts'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { answer, type CallChanges, createCall, createSettings, membersOf } from './test-call.ts'
import { type WatchedWorker, createWatchedWorker } from './watched-worker.ts'

// basic/patterns/mrtr, "Server Requirements"

afterEach(() => vi.restoreAllMocks())

const limit = { tokens: 5, per: '1m' } as const
const yes = { sure: { action: 'accept', content: {} } }

interface Options {
  readonly hints?: ToolHints
  readonly by?: 'caller' | 'tool' | 'all'
  readonly isUsedUp?: boolean
  readonly fails?: boolean
  /** Called with the signal of the run, whose result it delays. */
  readonly delay?: (signal: AbortSignal) => Promise<unknown>
}

function createPay({
  hints = {},
  by = 'caller',
  isUsedUp,
  fails,
  delay,
}: Options = {}): WatchedWorker {
  let runs = 0
  return createWatchedWorker(
    (note) => ({
      pay: defineTool({
        description: 'Pays.',
        hints,
        limit: { ...limit, by },
        timeout: '2s',
        parallel: 2,
        ask: () => ({ sure: form('Sure?', z.object({})) }),
        async run({ signal }) {
          note('run')
          runs += 1
          if (fails === true) throw new ToolError('The bank is closed.')
          await delay?.(signal)
          return `paid in run ${runs}`
        },
      }),
    }),
    { isUsedUp: isUsedUp ?? false },
  )
}

/** Sends one request of a call; steps that were taken before are forgotten. */
async function send(
  { settings, steps, counted }: WatchedWorker,
  params: JsonObject = {},
  changes: CallChanges = {},
) {
  steps.length = 0
  counted.length = 0
  const call = createCall(
    settings,
    'tools/call',
    { name: 'pay', ...params },
    {
      env: { STATE_KEY: 'k'.repeat(43) },
      envelope: { clientCapabilities: { elicitation: { form: {} } } },
      callerDigest: 'ann',
      ...changes,
    },
  )
  return membersOf(await answer(call))
}

/** Sends a first round, and returns what the second one has to bring. */
async function begin(pay: WatchedWorker): Promise<JsonObject> {
  const { requestState } = await send(pay)
  return { requestState, inputResponses: yes }
}

const textOf = (result: ReturnType<typeof JSON.parse>): string => result.content[0].text

describe('a tool that asks and changes something', () => {
  test('is counted once, at its first round', async () => {
    const pay = createPay()
    const second = await begin(pay)
    expect(pay.steps).toEqual(['load', 'begin', 'nonce', 'count', 'end'])
    expect(pay.counted).toEqual([['caller', 'pay', 'ann']])
    expect(textOf(await send(pay, second))).toBe('paid in run 1')
    expect(pay.steps).toEqual(['begin', 'round', 'claim', 'run', 'finish', 'end'])
    expect(pay.counted).toEqual([])
  })

  test('is claimed for longer than it may run, so that nobody else takes it for broken off', async () => {
    const pay = createPay()
    await send(pay, await begin(pay))
    expect(pay.claimed).toEqual([{ runMs: 7_000, expiresAt: expect.any(Number) }])
  })

  test('does not ask where its limit is used up', async () => {
    const pay = createPay({ isUsedUp: true })
    const refused = await send(pay)
    expect(refused).toMatchObject({ isError: true })
    expect(refused).not.toHaveProperty('requestState')
    expect(pay.steps).toEqual(['load', 'begin', 'nonce', 'count', 'end'])
  })

  test('runs once, and returns its result to each repetition of the last round', async () => {
    const pay = createPay()
    const second = await begin(pay)
    const first = await send(pay, second)
    expect(await send(pay, second)).toEqual(first)
    expect(pay.steps).toEqual(['begin', 'round', 'look', 'end'])
    expect(pay.counted).toEqual([])
  })

  test('returns its result to the first who asks, even where it cannot be kept for others', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const pay = createPay()
    const second = await begin(pay)
    const { claims } = createCall(pay.settings).state
    vi.spyOn(claims, 'finish').mockRejectedValue(new Error('The object is away.'))
    expect(textOf(await send(pay, second))).toBe('paid in run 1')
    expect(log).toHaveBeenCalledOnce()
    expect(textOf(await send(pay, second))).toContain('still being run by an earlier request')
  })

  test('does not run again after it failed, and returns the same error', async () => {
    const pay = createPay({ fails: true })
    const second = await begin(pay)
    const first = await send(pay, second)
    expect(first).toMatchObject({ isError: true, content: [{ text: 'The bank is closed.' }] })
    expect(await send(pay, second)).toEqual(first)
    expect(pay.steps).toEqual(['begin', 'round', 'look', 'end'])
    expect(pay.counted).toEqual([])
  })

  test('is not said to have done nothing when its time is over', async () => {
    const pay = createPay({ delay: () => new Promise(() => {}) })
    const second = await begin(pay)
    const late =
      'pay did not finish within 2 seconds and was stopped, so how far it came is unknown.'
    expect(textOf(await send(pay, second))).toContain(late)
    await vi.waitFor(() => expect(pay.steps).toContain('end'))
    // its result is kept like any other
    expect(textOf(await send(pay, second))).toContain(late)
    expect(pay.steps).not.toContain('run')
  })

  test('keeps its result if the client disconnects, whose signal does not abort', async () => {
    const client = new AbortController()
    const signals: AbortSignal[] = []
    const pay = createPay({
      delay: (signal) => {
        signals.push(signal)
        client.abort()
        return scheduler.wait(20, { signal })
      },
    })
    const second = await begin(pay)
    const kept: Promise<unknown>[] = []
    const waitUntil = (work: Promise<unknown>) => void kept.push(work)
    const first = send(pay, second, { signal: client.signal, waitUntil })
    await vi.waitFor(() => expect(signals).toHaveLength(1))
    await Promise.all(kept)
    // all that the platform waits for is over, and the result is stored
    expect(pay.steps.slice(0, 5)).toEqual(['begin', 'round', 'claim', 'run', 'finish'])
    await first
    expect(signals[0]?.aborted).toBe(false)
    expect(textOf(await send(pay, second))).toBe('paid in run 1')
    expect(pay.steps).toEqual(['begin', 'round', 'look', 'end'])
  })

  test('returns the result of its run to whoever sends it again while the run takes the last place', async () => {
    const pay = createPay()
    const { requestState } = await begin(pay)
    const second = { requestState, inputResponses: yes }
    const { claims, limits } = createCall(pay.settings).state
    const full = { allowed: false, retryMs: 1_000 } as const
    vi.spyOn(limits, 'takeLease').mockResolvedValue(full)
    // it does not begin to run, so the places are those of other calls
    expect(textOf(await send(pay, second))).toContain('was not run: 2 calls of it are running')
    const look = vi.spyOn(claims, 'look')
    look.mockResolvedValue({
      kind: 'done',
      result: '"content":[{"type":"text","text":"paid"}]',
    })
    expect(textOf(await send(pay, second))).toBe('paid')
    // the request that has the place is about to claim the run
    look.mockResolvedValueOnce(null).mockResolvedValueOnce(null)
    expect(textOf(await send(pay, second))).toBe('paid')
    expect(textOf(await send(pay, { ...second, requestState: 'made up' }))).toContain('not run')
    expect(textOf(await send(pay))).toContain('was not run: 2 calls of it are running')
    expect(pay.steps).not.toContain('run')
    expect(pay.counted).toEqual([])
  })

  test('waits for the result of an earlier request, but not for longer than its time limit', async () => {
    const pay = createPay()
    const second = await begin(pay)
    const { claims } = createCall(pay.settings).state
    vi.spyOn(claims, 'claim').mockResolvedValue({ kind: 'running' })
    const look = vi.spyOn(claims, 'look')
    look.mockImplementationOnce(async () => {
      await scheduler.wait(20)
      return { kind: 'done', result: '"content":[{"type":"text","text":"paid"}]' }
    })
    expect(textOf(await send(pay, second))).toBe('paid')
    look.mockImplementationOnce(() => Promise.reject(new TimeLimitExceeded('Ended.')))
    expect(textOf(await send(pay, second))).toContain('is still being run by an earlier request')
    expect(pay.steps).not.toContain('run')
  })

  test('looks for an earlier run before a declined question ends the call', async () => {
    const pay = createPay()
    const second = await begin(pay)
    const declined = { ...second, inputResponses: { sure: { action: 'decline' } } }
    expect(textOf(await send(pay, declined))).toContain('declined')
    expect(pay.steps).toEqual(['begin', 'round', 'look', 'end'])
    await send(pay, second)
    expect(textOf(await send(pay, declined))).toBe('paid in run 1')
    expect(pay.steps).toEqual(['begin', 'round', 'look', 'end'])
  })

  test('is hinted destructive: it claims its run as well', async () => {
    const pay = createPay({ hints: { destructive: true } })
    await send(pay, await begin(pay))
    expect(pay.steps).toContain('claim')
  })

  test.each([
    ['running', 'is still being run by an earlier request'],
    ['unknown', 'how far it came is unknown. It was not run again.'],
  ] as const)('does not run where its claim is %s', async (kind, sentence) => {
    const pay = createPay()
    const second = await begin(pay)
    const { claims } = createCall(pay.settings).state
    vi.spyOn(claims, 'claim').mockResolvedValue({ kind })
    vi.spyOn(claims, 'look').mockResolvedValue({ kind })
    const refused = await send(pay, second)
    expect(refused).toMatchObject({ isError: true })
    expect(textOf(refused)).toContain(sentence)
    expect(pay.steps).not.toContain('run')
  })

  test('is counted as another call where a state is sent again before it has run', async () => {
    const pay = createPay()
    const { requestState } = await begin(pay)
    expect(await send(pay, { requestState })).toHaveProperty('inputRequests')
    expect(pay.counted).toEqual([])
    expect(await send(pay, { requestState })).toHaveProperty('inputRequests')
    expect(pay.steps).toEqual(['begin', 'round', 'look', 'count', 'look', 'end'])
    expect(pay.counted).toEqual([['caller', 'pay', 'ann']])
  })
})

describe.each([
  ['idempotent', { idempotent: true }],
  ['read-only', { readOnly: true }],
] as const)('a tool that asks and is %s', (_hint, hints) => {
  test('takes no claim, and runs again for a state that is sent again', async () => {
    const pay = createPay({ hints })
    const second = await begin(pay)
    expect(pay.steps).toEqual(['load', 'begin', 'count', 'end'])
    expect(textOf(await send(pay, second))).toBe('paid in run 1')
    expect(pay.steps).toEqual(['begin', 'round', 'run', 'end'])
    expect(textOf(await send(pay, second))).toBe('paid in run 2')
    expect(pay.steps).toEqual(['begin', 'round', 'count', 'run', 'end'])
  })

  test.each([
    ['caller', ['caller', 'pay', 'ann']],
    ['tool', ['tool', 'pay']],
    ['all', ['all', '5 in 60000 ms']],
  ] as const)('is counted by %s once, and once more for each repetition', async (by, key) => {
    const pay = createPay({ hints, by })
    const second = await begin(pay)
    expect(pay.counted).toEqual([key])
    await send(pay, second)
    expect(pay.counted).toEqual([])
    await send(pay, second)
    expect(pay.counted).toEqual([key])
    const { limits } = createCall(pay.settings).state
    vi.spyOn(limits, 'takeToken').mockResolvedValue({ allowed: false, retryMs: 1_000 })
    expect(textOf(await send(pay, second))).toContain('it may be called 5 times in 1m')
    expect(pay.steps).not.toContain('run')
  })

  test('counts every round where the objects that remember rounds cannot be reached', async () => {
    const pay = createPay({ hints })
    const second = await begin(pay)
    const { limits } = createCall(pay.settings).state
    const take = vi.spyOn(limits, 'takeToken')
    take.mockRejectedValueOnce(new Error('The object is away.'))
    await send(pay, second)
    expect(take.mock.calls[1]?.[0]).toEqual(['caller', 'pay', 'ann'])
  })
})

describe.each([
  ['once', {}],
  ['each time', { idempotent: true }],
] as const)('a limit of 3 for a tool that asks in 2 rounds and runs %s', (_how, hints) => {
  /** A Worker with real buckets, and what its tool did. */
  function createLimited() {
    const done = { asks: 0, runs: 0 }
    // a caller of its own: the buckets outlive a test
    const changes = { callerDigest: crypto.randomUUID() }
    const yesOrNo = () => form('Sure?', z.object({}))
    const settings = createSettings({
      pay: defineTool({
        description: 'Pays.',
        hints,
        limit: { tokens: 3, per: '1h' },
        ask({ answers }) {
          done.asks += 1
          return 'first' in answers ? { second: yesOrNo() } : { first: yesOrNo() }
        },
        run() {
          done.runs += 1
          return 'paid'
        },
      }),
    })
    const pay = { settings, steps: [], counted: [], claimed: [] }
    return { done, sendOwn: (params?: JsonObject) => send(pay, params, changes) }
  }
  const answered = (key: string) => ({ [key]: { action: 'accept', content: {} } })

  test('allows 3 calls, and nothing for the rounds that are sent again', async () => {
    const { done, sendOwn } = createLimited()
    for (let nth = 0; nth < 3; nth += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one call after another
      const first = await sendOwn()
      const one = { requestState: first.requestState, inputResponses: answered('first') }
      // oxlint-disable-next-line no-await-in-loop -- the second round needs the first
      const { requestState } = await sendOwn(one)
      // oxlint-disable-next-line no-await-in-loop -- the third round needs the second
      expect(textOf(await sendOwn({ requestState, inputResponses: answered('second') }))).toBe(
        'paid',
      )
    }
    const { asks } = done
    expect(done.runs).toBe(3)
    expect(textOf(await sendOwn())).toContain('it may be called 3 times in 1h')
    expect(done).toEqual({ asks, runs: 3 })
  })

  test('counts each state that is sent again, whichever round it is from', async () => {
    const { done, sendOwn } = createLimited()
    const { requestState } = await sendOwn()
    const one = { requestState, inputResponses: answered('first') }
    const states = await Promise.all(Array.from({ length: 40 }, () => sendOwn(one)))
    // the first one belongs to the call; two more are calls of their own
    const open = states.filter((each) => 'inputRequests' in each)
    expect(open).toHaveLength(3)
    const last = open.map((each) => ({
      requestState: each.requestState,
      inputResponses: answered('second'),
    }))
    await Promise.all([...last, ...last, ...last].map((each) => sendOwn(each)))
    expect(done.runs).toBe(1)
    expect(done.asks).toBeLessThan(20)
  })
})
