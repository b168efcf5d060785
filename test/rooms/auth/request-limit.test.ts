import { afterEach, expect, test, vi } from 'vitest'
import { RequestLimit } from '../../../src/auth/request/request-limit.ts'
import { WorkerLog } from '../../../src/out/log.ts'
import { createSanitizer } from '../../../src/out/sanitizer.ts'

const workerLog = new WorkerLog(createSanitizer(['hunter2hunter2']))
const window = { limit: 2, period: 10 }

/** A binding that lets two requests of each key through. */
function createBinding(): RateLimit & { readonly keys: string[] } {
  const keys: string[] = []
  return {
    keys,
    async limit({ key }) {
      keys.push(key)
      return { success: keys.filter((one) => one === key).length <= 2 }
    },
  }
}

const broken: RateLimit = {
  limit: () => Promise.reject(new Error('The limiter is away: hunter2hunter2.')),
}

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('a caller over the limit learns when the window of the clock ends', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_764_500_003_500 })
  const CALLS = createBinding()
  const limit = new RequestLimit({ binding: 'CALLS', window, whenUnreachable: 'allow' })
  expect(await limit.count('alice', { CALLS }, workerLog)).toBeNull()
  expect(await limit.count('alice', { CALLS }, workerLog)).toBeNull()
  expect(await limit.count('alice', { CALLS }, workerLog)).toEqual({
    kind: 'rate-limited',
    retryAfter: 7,
    headers: {
      'Retry-After': '7',
      RateLimit: '"requests";r=0;t=7',
      'RateLimit-Policy': '"requests";q=2;w=10',
    },
  })
  expect(await limit.count('bob', { CALLS }, workerLog)).toBeNull()
  expect(CALLS.keys).toEqual(['alice', 'alice', 'alice', 'bob'])
})

test('an unknown policy has no header', async () => {
  const CALLS: RateLimit = { limit: async () => ({ success: false }) }
  const limit = new RequestLimit({
    binding: 'CALLS',
    window: undefined,
    whenUnreachable: 'allow',
  })
  const limited = await limit.count('alice', { CALLS }, workerLog)
  expect(Object.keys(limited?.headers ?? {})).toEqual(['Retry-After', 'RateLimit'])
  expect(limited?.retryAfter).toBeGreaterThanOrEqual(1)
  expect(limited?.retryAfter).toBeLessThanOrEqual(60)
})

test.each([
  ['allow', 'let through'],
  ['refuse', 'refused'],
] as const)('a limiter that does not answer: %s', async (whenUnreachable, ending) => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const limit = new RequestLimit({ binding: 'CALLS', window, whenUnreachable })
  const limited = await limit.count('alice', { CALLS: broken }, workerLog)
  expect(limited === null).toBe(whenUnreachable === 'allow')
  expect(log.mock.calls).toHaveLength(1)
  expect(log.mock.calls[0]?.[0]).toContain('The limiter is away: [secret].')
  expect(log.mock.calls[0]?.[0]).toContain(ending)
})

test('a missing binding is a fault, and lets no request through', async () => {
  const limit = new RequestLimit({ binding: 'CALLS', window, whenUnreachable: 'allow' })
  await expect(limit.count('alice', {}, workerLog)).rejects.toThrow(/CALLS/)
})
