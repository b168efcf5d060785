import { expect, test } from 'vitest'
import { readRateLimiter, toSecondsLeft } from '../../../src/util/rate-limit.ts'

const minute = { limit: 100, period: 60 }
const ten = { limit: 5, period: 10 }

test.each([
  [minute, 0, 60],
  [minute, 1, 60],
  [minute, 59_000, 1],
  [minute, 59_999, 1],
  [minute, 60_000, 60],
  [ten, 1_764_500_003_500, 7],
  [undefined, 45_000, 15],
])('of %o at %i, %i seconds are left', (window, now, left) => {
  expect(toSecondsLeft(window, now)).toBe(left)
})

test('a binding that is not there is named, with where it belongs', () => {
  const limiter = { limit: async () => ({ success: true }) }
  expect(readRateLimiter({ CALLS: limiter }, 'CALLS', 'pay')).toBe(limiter)
  expect(() => readRateLimiter({}, 'CALLS', 'pay')).toThrow(
    /^pay has the limit CALLS.*\[\[ratelimits\]\]/,
  )
  expect(() => readRateLimiter({ CALLS: 'text' }, 'CALLS', 'pay')).toThrow(TypeError)
})
