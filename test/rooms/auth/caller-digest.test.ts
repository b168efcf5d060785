import { afterEach, expect, test, vi } from 'vitest'
import { toCallerDigest } from '../../../src/auth/request/guard.ts'
import type { Caller } from '../../../src/protocol/caller.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const ada: Caller = { subject: 'ada', issuer: 'https://a.example', scopes: [], claims: {} }

test('a caller has the same digest with every token and by every client', async () => {
  const first = await toCallerDigest(ada)
  expect(first).toMatch(/^[\w-]{43}$/)
  expect(await toCallerDigest({ ...ada, client: 'cli', scopes: ['a'], claims: { jti: 1 } })).toBe(
    first,
  )
})

test('no other caller has the same digest', async () => {
  const { issuer: _, ...nowhere } = ada
  const others: Caller[] = [
    ada,
    nowhere,
    { ...ada, subject: 'bob' },
    { ...ada, issuer: 'https://b.example' },
    { ...ada, issuer: '', subject: 'https://a.example,ada' },
  ]
  expect(new Set(await Promise.all(others.map(toCallerDigest))).size).toBe(others.length)
})

test('the digest of a caller who comes again is remembered', async () => {
  const digest = vi.spyOn(crypto.subtle, 'digest')
  const eve = { ...ada, subject: crypto.randomUUID() }
  await toCallerDigest(eve)
  await toCallerDigest({ ...eve })
  expect(digest).toHaveBeenCalledTimes(1)
})
