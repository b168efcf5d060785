import { expect, test } from 'vitest'
import { readLeases, takeLease } from '../../../src/objects/stored-limit.ts'

const two = { most: 2, ms: 1_000 }

test('as many calls run at once as may, and the next one is told when to come', () => {
  const first = takeLease([], 'a', two, 0)
  const second = takeLease(first.leases, 'b', two, 400)
  expect(second.answer).toEqual({ allowed: true })
  const third = takeLease(second.leases, 'c', two, 500)
  expect(third).toEqual({
    leases: [
      { id: 'a', until: 1_000 },
      { id: 'b', until: 1_400 },
    ],
    answer: { allowed: false, retryMs: 500 },
  })
})

test('a lease that nobody ended makes room when its time is over', () => {
  const leases = [
    { id: 'a', until: 1_000 },
    { id: 'b', until: 1_400 },
  ]
  expect(takeLease(leases, 'c', two, 999).answer.allowed).toBe(false)
  expect(takeLease(leases, 'c', two, 1_000).leases).toEqual([
    { id: 'b', until: 1_400 },
    { id: 'c', until: 2_000 },
  ])
})

test('what is stored is read by structure', () => {
  expect(readLeases([{ id: 'a', until: 1 }, { id: 'b' }, null, 'c'])).toEqual([
    { id: 'a', until: 1 },
  ])
  expect(readLeases(undefined)).toEqual([])
  expect(readLeases({ a: 1 })).toEqual([])
})
