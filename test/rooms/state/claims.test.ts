import {
  abortAllDurableObjects,
  evictDurableObject,
  runDurableObjectAlarm,
  runInDurableObject,
} from 'cloudflare:test'
import { expect, test, vi } from 'vitest'
import { readBase64Url } from '../../../src/util/bytes.ts'
import { createRunClaims } from '../../../src/state/claims.ts'
import { StoredRunClaim } from '../../../src/objects/stored-claim.ts'
import { age, createStranger, namespace, ring, rowsWritten, tablesOf } from './handles-client.ts'

const { context, hops } = createStranger()
const claims = createRunClaims(context.namespace)

const times = { runMs: 30_000, expiresAt: Date.now() + 600_000 }

function stubOf(nonce: string): DurableObjectStub {
  return namespace().get(namespace().idFromString(readBase64Url(nonce)?.toHex() ?? ''))
}

test('three concurrent requests run once, and all get the result', async () => {
  const nonce = claims.createNonce()
  let runs = 0
  const retries = [1, 2, 3].map(async () => {
    const claim = await claims.claim(nonce, times)
    if (claim.kind === 'running') return claims.look(nonce)
    expect(claim).toEqual({ kind: 'yours' })
    runs += 1
    await scheduler.wait(100)
    await claims.finish(nonce, `run ${runs}`)
    return { kind: 'done', result: `run ${runs}` }
  })
  const done = { kind: 'done', result: 'run 1' }
  expect(await Promise.all(retries)).toEqual([done, done, done])
  expect(runs).toBe(1)
})

test('a retry gets the stored result, also after the object has been evicted', async () => {
  const nonce = claims.createNonce()
  await claims.claim(nonce, times)
  await claims.finish(nonce, 'paid')
  expect(await claims.claim(nonce, times)).toEqual({ kind: 'done', result: 'paid' })
  await evictDurableObject(stubOf(nonce))
  expect(await claims.claim(nonce, times)).toEqual({ kind: 'done', result: 'paid' })
})

test('a run that was cut off has an unknown outcome and is never run again', async () => {
  const nonce = claims.createNonce()
  expect(await claims.claim(nonce, times)).toEqual({ kind: 'yours' })
  await abortAllDurableObjects()
  expect(await claims.claim(nonce, times)).toEqual({ kind: 'unknown' })
  expect(await claims.claim(nonce, times)).toEqual({ kind: 'unknown' })
})

test('a run that outlived its object can still store its result', async () => {
  const nonce = claims.createNonce()
  await claims.claim(nonce, times)
  await abortAllDurableObjects()
  await claims.finish(nonce, 'paid')
  expect(await claims.claim(nonce, times)).toEqual({ kind: 'done', result: 'paid' })
})

test('a look at what nothing has claimed finds nothing, and does not wait', async () => {
  expect(await claims.look(claims.createNonce())).toBeNull()
})

test('a claim does not wait, since the request that has got one must not be cancelled', async () => {
  const nonce = claims.createNonce()
  await claims.claim(nonce, times)
  expect(await claims.claim(nonce, times)).toEqual({ kind: 'running' })
})

test('a look at a run that never ends returns unknown when its time is over', async () => {
  const nonce = claims.createNonce()
  await claims.claim(nonce, { ...times, runMs: 150 })
  const began = Date.now()
  expect(await claims.look(nonce)).toEqual({ kind: 'unknown' })
  expect(Date.now() - began).toBeLessThan(2_000)
  expect(await claims.claim(nonce, times)).toEqual({ kind: 'unknown' })
})

test('a look that has waited for 30 seconds returns running', async () => {
  const nonce = claims.createNonce()
  const outcome = await runInDurableObject(stubOf(nonce), async (_, { storage }) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const claim = new StoredRunClaim(storage)
      expect(await claim.claim({ ...times, runMs: 60_000 })).toEqual({ kind: 'yours' })
      const second = claim.look()
      await vi.advanceTimersByTimeAsync(30_000)
      return await second
    } finally {
      vi.useRealTimers()
    }
  })
  expect(outcome).toEqual({ kind: 'running' })
})

test('the first result stays', async () => {
  const nonce = claims.createNonce()
  await claims.claim(nonce, times)
  await claims.finish(nonce, 'first')
  await claims.finish(nonce, 'second')
  expect(await claims.claim(nonce, times)).toEqual({ kind: 'done', result: 'first' })
})

test('results of any length are returned complete', async () => {
  const long = 'é\u{1F9FA}'.repeat(700_000)
  await Promise.all(
    ['', long].map(async (result) => {
      const nonce = claims.createNonce()
      await claims.claim(nonce, times)
      await claims.finish(nonce, result)
      const claim = await claims.claim(nonce, times)
      expect(claim.kind === 'done' && claim.result === result).toBe(true)
    }),
  )
})

test('a claim costs two rows and its result one more; retries cost none', async () => {
  const nonce = claims.createNonce()
  hops.length = 0
  await claims.claim(nonce, times)
  expect(await rowsWritten(stubOf(nonce))).toBe(2)
  await claims.finish(nonce, 'paid')
  expect(await rowsWritten(stubOf(nonce))).toBe(3)
  await claims.claim(nonce, times)
  expect(await rowsWritten(stubOf(nonce))).toBe(3)
  expect(hops).toEqual(['claim', 'finish', 'claim'])
})

test('a claim outlives its sealed state by five minutes, and is deleted then', async () => {
  const nonce = claims.createNonce()
  await claims.claim(nonce, { runMs: 1_000, expiresAt: Date.now() })
  await age(stubOf(nonce), 4 * 60_000)
  expect(await runDurableObjectAlarm(stubOf(nonce))).toBe(true)
  await claims.finish(nonce, 'paid')
  expect(await claims.claim(nonce, times)).toEqual({ kind: 'done', result: 'paid' })
  await age(stubOf(nonce), 60_000)
  // it had fired too early, and was set again
  expect(await runDurableObjectAlarm(stubOf(nonce))).toBe(true)
  expect(await tablesOf(stubOf(nonce))).toBe(0)
  await ring(stubOf(nonce))
  // a result that comes now is not stored
  await claims.finish(nonce, 'late')
  expect(await tablesOf(stubOf(nonce))).toBe(0)
})

test('a nonce that createNonce did not create is refused', () => {
  expect(() => claims.claim('not a nonce', times)).toThrow(TypeError)
})
