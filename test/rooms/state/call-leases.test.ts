import { expect, test } from 'vitest'
import { readLeases, addLease } from '../../../src/objects/stored-limit.ts'

const two = { most: 2, ms: 1_000 }

test('calls run at once up to the limit, and the next one gets the time to wait', () => {
  const first = addLease([], 'a', two, 0)
  const second = addLease(first.leases, 'b', two, 400)
  expect(second.reply).toEqual({ allowed: true })
  const third = addLease(second.leases, 'c', two, 500)
  expect(third).toEqual({
    leases: [
      { id: 'a', until: 1_000 },
      { id: 'b', until: 1_400 },
    ],
    reply: { allowed: false, retryMs: 500 },
  })
})

test('a lease that was not ended frees its place when its time is over', () => {
  const leases = [
    { id: 'a', until: 1_000 },
    { id: 'b', until: 1_400 },
  ]
  expect(addLease(leases, 'c', two, 999).reply.allowed).toBe(false)
  expect(addLease(leases, 'c', two, 1_000).leases).toEqual([
    { id: 'b', until: 1_400 },
    { id: 'c', until: 2_000 },
  ])
})

test('stored leases are read by their structure', () => {
  expect(readLeases([{ id: 'a', until: 1 }, { id: 'b' }, null, 'c'])).toEqual([
    { id: 'a', until: 1 },
  ])
  expect(readLeases(undefined)).toEqual([])
  expect(readLeases({ a: 1 })).toEqual([])
})
