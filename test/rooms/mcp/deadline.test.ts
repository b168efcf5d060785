import { expect, test } from 'vitest'
import { toExchange } from '../exchange.ts'
import { ClientGone, TimeLimitExceeded, runWithin } from '../../../src/mcp/attempt.ts'

const nobodyLeaves = toExchange()

test('gives what the work gives, at once or later', async () => {
  expect(await runWithin(1_000, nobodyLeaves, () => 'now')).toBe('now')
  expect(await runWithin(1_000, nobodyLeaves, async () => 'later')).toBe('later')
})

test('throws what the work throws, at once or later', async () => {
  const fault = new Error('fault')
  const now = runWithin(1_000, nobodyLeaves, () => {
    throw fault
  })
  await expect(now).rejects.toBe(fault)
  await expect(runWithin(1_000, nobodyLeaves, () => Promise.reject(fault))).rejects.toBe(fault)
})

test('ends work that ignores its signal, and aborts the signal', async () => {
  let seen: AbortSignal | undefined
  const work = runWithin(20, nobodyLeaves, (signal) => {
    seen = signal
    return new Promise<never>(() => {})
  })
  await expect(work).rejects.toBeInstanceOf(TimeLimitExceeded)
  expect(seen?.reason).toBeInstanceOf(TimeLimitExceeded)
})

test('ends as soon as the client has gone', async () => {
  const client = new AbortController()
  let seen: AbortSignal | undefined
  const work = runWithin(60_000, toExchange({ signal: client.signal }), (signal) => {
    seen = signal
    return new Promise<never>(() => {})
  })
  client.abort()
  await expect(work).rejects.toBeInstanceOf(ClientGone)
  expect(seen?.aborted).toBe(true)
})

test('does not wait for a client that had gone before', async () => {
  const work = runWithin(
    60_000,
    toExchange({ signal: AbortSignal.abort() }),
    () => new Promise<never>(() => {}),
  )
  await expect(work).rejects.toBeInstanceOf(ClientGone)
})

test('leaves the signal alone when the work ends in time', async () => {
  let seen: AbortSignal | undefined
  await runWithin(20, nobodyLeaves, async (signal) => {
    seen = signal
  })
  await scheduler.wait(40)
  expect(seen?.aborted).toBe(false)
})
