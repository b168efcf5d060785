import { expect, test } from 'vitest'
import {
  type TokenBucket,
  type BucketRule,
  isBucketFull,
  readBucket,
  takeFromBucket,
  toBucketRule,
} from '../../../src/objects/stored-limit.ts'

const minute = 60_000
const five: BucketRule = { tokens: 5, perMs: minute }

/** Takes as many tokens as there are at one moment, up to `tries`. */
function drain(bucket: TokenBucket | null, rule: BucketRule, now: number, tries: number) {
  let left = bucket
  let taken = 0
  for (let index = 0; index < tries; index += 1) {
    const { bucket: next, reply } = takeFromBucket(left, rule, now)
    if (reply.allowed) taken += 1
    left = next
  }
  return { bucket: left, taken }
}

test('a new bucket allows all its tokens, and returns how many are left', () => {
  const first = takeFromBucket(null, five, 0)
  expect(first.reply).toEqual({ allowed: true, remaining: 4 })
  expect(drain(first.bucket, five, 0, 10).taken).toBe(4)
})

test('an empty bucket returns when the next token comes, and it comes then', () => {
  const { bucket } = drain(null, five, 1_000, 5)
  expect(takeFromBucket(bucket, five, 1_000).reply).toEqual({ allowed: false, retryMs: 12_000 })
  expect(takeFromBucket(bucket, five, 12_999).reply).toEqual({ allowed: false, retryMs: 1 })
  expect(takeFromBucket(bucket, five, 13_000).reply).toEqual({ allowed: true, remaining: 0 })
})

test('the wait is never shorter than the token takes, where milliseconds do not divide', () => {
  const seven: BucketRule = { tokens: 7, perMs: 1_000 }
  const { bucket } = drain(null, seven, 0, 7)
  expect(takeFromBucket(bucket, seven, 0).reply).toEqual({ allowed: false, retryMs: 143 })
  expect(takeFromBucket(bucket, seven, 142).reply).toEqual({ allowed: false, retryMs: 1 })
  expect(takeFromBucket(bucket, seven, 143).reply).toEqual({ allowed: true, remaining: 0 })
})

test('a refused call changes nothing', () => {
  const { bucket } = drain(null, five, 0, 5)
  expect(takeFromBucket(bucket, five, 500).bucket).toBe(bucket)
})

test('a bucket never holds more than its tokens', () => {
  const { bucket } = drain(null, five, 0, 5)
  expect(drain(bucket, five, minute / 2, 10).taken).toBe(2)
  expect(drain(bucket, five, minute, 10).taken).toBe(5)
  expect(drain(bucket, five, 1_000 * minute, 10).taken).toBe(5)
})

test.each([
  { tokens: 3, perMs: 1_000 },
  { tokens: 7, perMs: 60_000 },
  { tokens: 1_000, perMs: 3_600_000 },
  { tokens: 999_983, perMs: 86_400_000 },
  { tokens: 2, perMs: 1 },
])('$tokens in $perMs ms are counted exactly', (rule) => {
  const start = 1_764_500_000_000
  let { bucket, taken } = drain(null, rule, start, rule.tokens + 1)
  expect(taken).toBe(rule.tokens)
  // at uneven moments, each span allows what its time is worth and keeps the rest
  for (let step = 1; step <= 50; step += 1) {
    const now = start + Math.floor((step * rule.perMs) / 50)
    const due = rule.tokens + Math.floor(((now - start) * rule.tokens) / rule.perMs)
    const { bucket: next, taken: more } = drain(bucket, rule, now, due - taken + 1)
    bucket = next
    taken += more
    expect(taken).toBe(due)
  }
})

test('a clock that is set back adds no token and removes none', () => {
  const { bucket } = drain(null, five, minute, 5)
  expect(takeFromBucket(bucket, five, 0).reply).toEqual({ allowed: false, retryMs: 12_000 })
  const two = drain(null, five, minute, 3).bucket
  const back = drain(two, five, 0, 5)
  expect(back.taken).toBe(2)
  expect(takeFromBucket(back.bucket, five, minute).reply.allowed).toBe(false)
})

test('another rule counts the calls that were made under the old one', () => {
  const { bucket } = drain(null, five, 0, 4)
  expect(drain(bucket, { tokens: 10, perMs: 3_600_000 }, 0, 20).taken).toBe(6)
  expect(drain(bucket, { tokens: 3, perMs: minute }, 0, 20).taken).toBe(0)
  expect(drain(bucket, { tokens: 3, perMs: minute }, 24_000, 20).taken).toBe(1)
})

test('a bucket is full again when the last token is back', () => {
  const { bucket } = takeFromBucket(null, five, 0)
  if (bucket === null) throw new Error('Nothing was taken.')
  expect(isBucketFull(bucket, 11_999)).toBe(false)
  expect(isBucketFull(bucket, 12_000)).toBe(true)
})

test.each([
  [{ tokens: 100, per: '1h' } as const, { tokens: 100, perMs: 3_600_000 }],
  [{ tokens: 1, per: '250ms', by: 'all' } as const, { tokens: 1, perMs: 250 }],
])('converts a limit: %o', (limit, rule) => {
  expect(toBucketRule(limit)).toEqual(rule)
})

test.each([
  { tokens: 0, per: '1h' } as const,
  { tokens: -1, per: '1h' } as const,
  { tokens: 1.5, per: '1h' } as const,
  { tokens: 5, per: '0s' } as const,
  { tokens: 1_000_000_000, per: '365d' } as const,
])('refuses a limit that cannot be counted: %o', (limit) => {
  expect(() => toBucketRule(limit)).toThrow(RangeError)
})

test('a stored bucket is read by its structure', () => {
  const stored = { ...five, missing: 1, at: 2 }
  expect(readBucket({ ...stored, later: true })).toEqual(stored)
  expect(readBucket({ ...five, missing: '1', at: 2 })).toBeNull()
  expect(readBucket(undefined)).toBeNull()
})
