import { afterEach, expect, test, vi } from 'vitest'
import { countCall, takePlace, toWaitText } from '../../../src/mcp/tool-limits.ts'
import type { LimitSettings } from '../../../src/mcp/settings.ts'
import type { Limits } from '../../../src/state/limits.ts'
import { createCall, createSettings } from './test-call.ts'

/** Limits that answer as they are told, and what they were asked. */
function createLimits(changes: Partial<Limits> = {}): { limits: Limits; asked: unknown[][] } {
  const asked: unknown[][] = []
  const limits: Limits = {
    async takeToken(...question) {
      asked.push(['takeToken', ...question])
      return { allowed: false, retryMs: 36_000 }
    },
    async takeLease(...question) {
      asked.push(['takeLease', ...question])
      return { allowed: true }
    },
    async endLease(...question) {
      asked.push(['endLease', ...question])
    },
    ...changes,
  }
  return { limits, asked }
}

const away = async (): Promise<never> => {
  throw new Error('The object is away.')
}

const windows = new Map([['CALLS', { limit: 5, period: 10 }]])

interface Changes {
  readonly name?: string
  readonly limits?: Limits
  readonly env?: object
  readonly waitUntil?: (work: Promise<unknown>) => void
  readonly whenUnreachable?: LimitSettings['whenUnreachable']
}

/** Work of the caller `alice` that is counted by these limits. */
function createCounted(changes: Changes = {}) {
  const { name = 'pay', limits, env = {}, waitUntil, whenUnreachable } = changes
  const settings = createSettings(
    {},
    {
      limits: { windows, whenUnreachable },
      state: { limits: limits ?? createLimits().limits },
    },
  )
  const call = createCall(
    settings,
    'tools/call',
    {},
    { env, callerDigest: 'alice', ...(waitUntil && { waitUntil }) },
  )
  return { name, call, deadline: { limitMs: 30_000 } }
}

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test.each([
  [0, 'in 1 second'],
  [1_001, 'in 2 seconds'],
  [120_000, 'in 120 seconds'],
  [120_001, 'in 3 minutes'],
  [7_200_000, 'in 120 minutes'],
  [7_200_001, 'in 3 hours'],
])('%i ms is said as "%s"', (ms, text) => {
  expect(toWaitText(ms)).toBe(text)
})

test.each([
  [undefined, 'it may be called 100 times in 1h', ['caller', 'pay', 'alice']],
  ['caller', 'it may be called 100 times in 1h', ['caller', 'pay', 'alice']],
  ['tool', 'it may be called 100 times in 1h by all callers together', ['tool', 'pay']],
  [
    'all',
    'it may be called 100 times in 1h by all callers together, including some other tools',
    ['all', '100 in 3600000 ms'],
  ],
] as const)('an exact limit by %s says why, and when to try again', async (by, why, key) => {
  const { limits, asked } = createLimits()
  const limit = { tokens: 100, per: '1h', ...(by && { by }) } as const
  const refusal = await countCall(createCounted({ limits }), { limit, hints: undefined }, 'alice')
  expect(refusal).toBe(`pay was not run: ${why}. Try again in 36 seconds.`)
  expect(asked).toEqual([['takeToken', key, { tokens: 100, perMs: 3_600_000 }]])
})

test('a call within its limit passes, as does one without a limit', async () => {
  const { limits } = createLimits({ takeToken: async () => ({ allowed: true, remaining: 0 }) })
  const limit = { tokens: 1, per: '1m' } as const
  expect(await countCall(createCounted({ limits }), { limit, hints: undefined }, 'a')).toBeNull()
  const none = { limit: undefined, hints: undefined }
  expect(await countCall(createCounted(), none, 'a')).toBeNull()
})

test('a binding counts each caller of each tool, and its window ends with the clock', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_764_500_003_500 })
  const keys: string[] = []
  const CALLS: RateLimit = {
    async limit({ key }) {
      keys.push(key)
      return { success: keys.length < 2 }
    },
  }
  const counted = createCounted({ env: { CALLS } })
  const rule = { limit: 'CALLS', hints: undefined }
  expect(await countCall(counted, rule, 'alice')).toBeNull()
  expect(await countCall(counted, rule, 'alice')).toBe(
    'pay was not run: it was called too often. Try again in 7 seconds.',
  )
  expect(keys).toEqual(['pay alice', 'pay alice'])
})

test('a limit without its binding is a fault, whatever `whenUnreachable` is', async () => {
  const counted = createCounted({ whenUnreachable: 'allow' })
  const none = countCall(counted, { limit: 'NONE', hints: undefined }, 'alice')
  await expect(none).rejects.toThrow(TypeError)
  const limit = { tokens: 0, per: '1m' } as const
  const empty = countCall(counted, { limit, hints: undefined }, 'alice')
  await expect(empty).rejects.toThrow(RangeError)
})

test.each([
  [undefined, undefined, true],
  [{ readOnly: true }, undefined, true],
  [{ destructive: true }, undefined, false],
  [{ destructive: true }, 'allow', true],
  [{ readOnly: true }, 'refuse', false],
] as const)('hints %o and the setting %s decide an unreachable limit: %s', async (...row) => {
  const [hints, whenUnreachable, passes] = row
  const log = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { limits } = createLimits({ takeToken: away, takeLease: away })
  const counted = createCounted({ limits, whenUnreachable })
  const limit = { tokens: 1, per: '1m' } as const
  const refusal = await countCall(counted, { limit, hints }, 'alice')
  expect(refusal === null).toBe(passes)
  expect((await takePlace(counted, { parallel: 2, hints })) === null).toBe(passes)
  expect(log.mock.calls).toHaveLength(2)
  for (const [line] of log.mock.calls) {
    expect(line).toContain('The object is away.')
    expect(line).toContain(passes ? 'run without being counted' : 'refused')
  }
})

const two = { parallel: 2, hints: undefined }

test('a lease is held until the call ends, and released once', async () => {
  const { limits, asked } = createLimits()
  const work = createCounted({ name: 'slow', limits })
  expect(await takePlace(work, two)).toBeNull()
  expect(asked.map(([method]) => method)).toEqual(['takeLease'])
  const [, key, lease, rule] = asked[0] ?? []
  expect([key, rule]).toEqual([['slow', 'alice'], { most: 2, ms: 35_000 }])
  await work.call.end()
  expect(asked[1]).toEqual(['endLease', ['slow', 'alice'], lease])
  expect(work.call.end()).toBeNull()

  const next = createCounted({ name: 'slow', limits })
  await takePlace(next, two)
  await next.call.end()
  expect(asked.map(([method]) => method)).toEqual([
    'takeLease',
    'endLease',
    'takeLease',
    'endLease',
  ])
  expect(asked[2]?.[2]).not.toBe(lease)
})

test('a call with a lease is kept alive until the lease is released', async () => {
  const kept: Promise<unknown>[] = []
  const work = createCounted({ waitUntil: (promise) => kept.push(promise) })
  const taking = takePlace(work, two)
  // before the lease is taken, because the client may disconnect in the meantime
  expect(kept).toHaveLength(1)
  await taking
  const settled = vi.fn<() => void>()
  void kept[0]?.then(settled)
  await scheduler.wait(1)
  expect(settled).not.toHaveBeenCalled()
  await work.call.end()
  await kept[0]
})

test('a lease is held by work that was stopped, until it has ended', async () => {
  const { limits, asked } = createLimits()
  const work = createCounted({ limits })
  await takePlace(work, two)
  const stopping = Promise.withResolvers<void>()
  expect(work.call.end(stopping.promise)).toBeNull()
  await scheduler.wait(1)
  expect(asked.map(([method]) => method)).toEqual(['takeLease'])
  stopping.resolve()
  await vi.waitFor(() => expect(asked.map(([method]) => method)).toContain('endLease'))
})

test('a call without a lease learns when there will be one', async () => {
  const takeLease: Limits['takeLease'] = async () => ({ allowed: false, retryMs: 12_000 })
  const { limits, asked } = createLimits({ takeLease })
  const work = createCounted({ name: 'slow', limits })
  expect(await takePlace(work, two)).toBe(
    'slow was not run: 2 calls of it are running already, which is the limit. ' +
      'Wait for one to end, in 12 seconds at the latest, then try again.',
  )
  // it has nothing to give back
  await work.call.end()
  expect(asked).toEqual([])
})

test('a lease that may be taken although the reply was lost is released', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { limits, asked } = createLimits({ takeLease: away })
  const work = createCounted({ name: 'slow', limits, whenUnreachable: 'refuse' })
  expect(await takePlace(work, two)).toContain('could not be checked')
  await work.call.end()
  expect(asked).toEqual([['endLease', ['slow', 'alice'], expect.any(String)]])
})

test('a tool without `parallel` takes no lease', async () => {
  const { limits, asked } = createLimits()
  const work = createCounted({ limits })
  expect(await takePlace(work, { parallel: undefined, hints: undefined })).toBeNull()
  expect(work.call.end()).toBeNull()
  expect(asked).toEqual([])
})

test('a lease that cannot be released is logged and does not change the result', async () => {
  const log = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { limits } = createLimits({ endLease: away })
  const work = createCounted({ name: 'slow', limits })
  await takePlace(work, two)
  await work.call.end()
  expect(log.mock.calls[0]?.[0]).toContain('parallel calls of slow')
})
