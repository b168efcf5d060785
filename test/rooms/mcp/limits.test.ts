import { afterEach, expect, test, vi } from 'vitest'
import {
  type LimitedCall,
  type ParallelCall,
  findLimitRefusal,
  runParallel,
  toWaitText,
} from '../../../src/mcp/limits.ts'
import type { Limits } from '../../../src/state/limits.ts'

/** Limits that answer as they are told, and what they were asked. */
function createLimits(changes: Partial<Limits> = {}): { limits: Limits; asked: unknown[][] } {
  const asked: unknown[][] = []
  const limits: Limits = {
    async take(...question) {
      asked.push(['take', ...question])
      return { allowed: false, retryMs: 36_000 }
    },
    async begin(...question) {
      asked.push(['begin', ...question])
      return { allowed: true }
    },
    async end(...question) {
      asked.push(['end', ...question])
    },
    ...changes,
  }
  return { limits, asked }
}

const away = async (): Promise<never> => {
  throw new Error('The object is away.')
}

const settings = { windows: new Map([['CALLS', { limit: 5, period: 10 }]]) }

const limited = (changes: Partial<LimitedCall>): LimitedCall => ({
  name: 'pay',
  limit: undefined,
  hints: undefined,
  who: 'alice',
  env: {},
  limits: createLimits().limits,
  ...changes,
})

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
    'it may be called 100 times in 1h by all callers together, some other tools included',
    ['all', '100 in 3600000 ms'],
  ],
] as const)('an exact limit by %s says why, and when to try again', async (by, why, key) => {
  const { limits, asked } = createLimits()
  const limit = { tokens: 100, per: '1h', ...(by && { by }) } as const
  const refusal = await findLimitRefusal(limited({ limit, limits }), {
    ...settings,
    whenUnreachable: undefined,
  })
  expect(refusal).toBe(`pay was not run: ${why}. Try again in 36 seconds.`)
  expect(asked).toEqual([['take', key, { tokens: 100, perMs: 3_600_000 }]])
})

test('a call within its limit passes, as does one without a limit', async () => {
  const { limits } = createLimits({ take: async () => ({ allowed: true, remaining: 0 }) })
  const open = { ...settings, whenUnreachable: undefined }
  const limit = { tokens: 1, per: '1m' } as const
  expect(await findLimitRefusal(limited({ limit, limits }), open)).toBeNull()
  expect(await findLimitRefusal(limited({ limits: createLimits().limits }), open)).toBeNull()
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
  const open = { ...settings, whenUnreachable: undefined }
  const call = limited({ limit: 'CALLS', env: { CALLS } })
  expect(await findLimitRefusal(call, open)).toBeNull()
  expect(await findLimitRefusal(call, open)).toBe(
    'pay was not run: it was called too often. Try again in 7 seconds.',
  )
  expect(keys).toEqual(['pay alice', 'pay alice'])
})

test('a limit that was never set up is a fault, whatever the policy', async () => {
  const open = { ...settings, whenUnreachable: 'allow' } as const
  await expect(findLimitRefusal(limited({ limit: 'NONE' }), open)).rejects.toThrow(TypeError)
  const limit = { tokens: 0, per: '1m' } as const
  await expect(findLimitRefusal(limited({ limit }), open)).rejects.toThrow(RangeError)
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
  const { limits } = createLimits({ take: away, begin: away })
  const limit = { tokens: 1, per: '1m' } as const
  const refusal = await findLimitRefusal(limited({ limit, hints, limits }), {
    ...settings,
    whenUnreachable,
  })
  expect(refusal === null).toBe(passes)
  const call = parallel({ hints, limits, whenUnreachable })
  expect((await runParallel(call, async () => 'ran')).ok).toBe(passes)
  expect(log.mock.calls).toHaveLength(2)
  expect(log.mock.calls[0]?.[0]).toContain('The object is away.')
  expect(log.mock.calls[0]?.[0]).toContain(passes ? 'run without being counted' : 'refused')
})

const parallel = (changes: Partial<ParallelCall>): ParallelCall => ({
  name: 'slow',
  parallel: 2,
  hints: undefined,
  who: 'alice',
  limitMs: 30_000,
  limits: createLimits().limits,
  whenUnreachable: undefined,
  ...changes,
})

test('a place is held while the work runs, and given back however it ends', async () => {
  const { limits, asked } = createLimits()
  const ran = await runParallel(parallel({ limits }), async () => {
    expect(asked.map(([method]) => method)).toEqual(['begin'])
    return 'done'
  })
  expect(ran).toEqual({ ok: true, value: 'done' })
  const [, key, lease, rule] = asked[0] ?? []
  expect([key, rule]).toEqual([['slow', 'alice'], { most: 2, ms: 35_000 }])
  expect(asked[1]).toEqual(['end', ['slow', 'alice'], lease])
  await expect(runParallel(parallel({ limits }), away)).rejects.toThrow('away')
  expect(asked.map(([method]) => method)).toEqual(['begin', 'end', 'begin', 'end'])
  expect(asked[2]?.[2]).not.toBe(lease)
})

test('a call without a place is not run, and is told when there will be one', async () => {
  const begin: Limits['begin'] = async () => ({ allowed: false, retryMs: 12_000 })
  const { limits, asked } = createLimits({ begin })
  const ran = await runParallel(parallel({ limits }), away)
  expect(ran).toEqual({
    ok: false,
    why:
      'slow was not run: 2 calls of it are running already, which is as many as may be. ' +
      'Wait for one to end, in 12 seconds at the latest, then try again.',
  })
  expect(asked).toEqual([])
})

test('a tool that may run any number of times asks nobody', async () => {
  const { limits, asked } = createLimits()
  const call = parallel({ limits, parallel: undefined })
  expect(await runParallel(call, async () => 1)).toEqual({ ok: true, value: 1 })
  expect(asked).toEqual([])
})

test('a place that cannot be given back does not spoil the result', async () => {
  const log = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { limits } = createLimits({ end: away })
  expect(await runParallel(parallel({ limits }), async () => 1)).toEqual({ ok: true, value: 1 })
  expect(log.mock.calls[0]?.[0]).toContain('parallel calls of slow')
})
