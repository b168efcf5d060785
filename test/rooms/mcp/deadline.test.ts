import { expect, test } from 'vitest'
import {
  ClientGone,
  Deadline,
  TimeLimitExceeded,
  type WaitingClient,
} from '../../../src/mcp/deadline.ts'

function createClient(signal = new AbortController().signal): WaitingClient {
  return { signal, waitUntil: () => {} }
}

const never = (): Promise<never> => new Promise(() => {})

test('returns what the work returns, at once or later', async () => {
  const deadline = new Deadline(createClient(), 1_000)
  expect(await deadline.within('now')).toBe('now')
  expect(await deadline.within(Promise.resolve('soon'))).toBe('soon')
  expect(await deadline.within(scheduler.wait(5).then(() => 'later'))).toBe('later')
})

test('throws what the work throws, at once or later', async () => {
  const fault = new Error('fault')
  const deadline = new Deadline(createClient(), 1_000)
  await expect(deadline.within(Promise.reject(fault))).rejects.toBe(fault)
  const late = scheduler.wait(5).then(() => Promise.reject(fault))
  await expect(deadline.within(late)).rejects.toBe(fault)
})

test('ends work that ignores its signal, and aborts the signal', async () => {
  const deadline = new Deadline(createClient(), 20)
  const { signal } = deadline
  await expect(deadline.within(never())).rejects.toBeInstanceOf(TimeLimitExceeded)
  expect(signal.reason).toBeInstanceOf(TimeLimitExceeded)
})

test('is one time limit for all steps, not one for each', async () => {
  const deadline = new Deadline(createClient(), 2_000)
  await deadline.within(scheduler.wait(1_500))
  const began = Date.now()
  await expect(deadline.within(never())).rejects.toBeInstanceOf(TimeLimitExceeded)
  // 500 are left; a limit for each step would be 2,000
  expect(Date.now() - began).toBeLessThan(1_500)
})

test('ends as soon as the client disconnects, and keeps the Worker alive for the work', async () => {
  const client = new AbortController()
  const kept: Promise<unknown>[] = []
  const waiting = { signal: client.signal, waitUntil: (work: Promise<unknown>) => kept.push(work) }
  const deadline = new Deadline(waiting, 60_000)
  const ended = deadline.within(never())
  await scheduler.wait(1)
  client.abort()
  await expect(ended).rejects.toBeInstanceOf(ClientGone)
  expect(deadline.signal.reason).toBeInstanceOf(ClientGone)
  expect(kept).toEqual([deadline.stopping])
})

test.each([
  ['the client disconnects', 60_000, AbortSignal.abort()],
  ['the deadline is over', 20, new AbortController().signal],
])('keeps work that ignores its signal for half a second, when %s', async (_, ms, signal) => {
  const kept: Promise<unknown>[] = []
  const deadline = new Deadline({ signal, waitUntil: (work) => kept.push(work) }, ms)
  expect(deadline.stopping).toBeNull()
  await expect(deadline.within(never())).rejects.toThrow(/^(Ended|The client)/)
  const began = Date.now()
  expect(kept).toEqual([deadline.stopping])
  await deadline.stopping
  expect(Date.now() - began).toBeGreaterThan(400)
  expect(Date.now() - began).toBeLessThan(5_000)
})

test('keeps work that reacts to its signal no longer than it takes', async () => {
  const deadline = new Deadline(createClient(), 20)
  const { signal } = deadline
  const reacts = scheduler.wait(60_000, { signal })
  await expect(deadline.within(reacts)).rejects.toBeInstanceOf(TimeLimitExceeded)
  const began = Date.now()
  await deadline.stopping
  expect(Date.now() - began).toBeLessThan(400)
})

test('waits for work whose result is kept after the client disconnects, until the deadline', async () => {
  const client = new AbortController()
  const kept: Promise<unknown>[] = []
  const waiting = { signal: client.signal, waitUntil: (work: Promise<unknown>) => kept.push(work) }
  const deadline = new Deadline(waiting, 60_000)
  const ended = deadline.within(
    scheduler.wait(20).then(() => 'paid'),
    'keep',
  )
  await scheduler.wait(1)
  client.abort()
  expect(kept).toHaveLength(1)
  expect(await ended).toBe('paid')
  expect(deadline.signal.aborted).toBe(false)
  expect(deadline.stopping).toBeNull()
  const late = new Deadline({ ...waiting, signal: AbortSignal.abort() }, 20)
  await expect(late.within(never(), 'keep')).rejects.toBeInstanceOf(TimeLimitExceeded)
})

test('does not wait for a client that has disconnected before', async () => {
  const deadline = new Deadline(createClient(AbortSignal.abort()), 60_000)
  await expect(deadline.within(never())).rejects.toBeInstanceOf(ClientGone)
})

test('leaves the signal alone when the work ends in time', async () => {
  const deadline = new Deadline(createClient(), 20)
  const { signal } = deadline
  await deadline.within(scheduler.wait(1))
  await scheduler.wait(40)
  expect(signal.aborted).toBe(false)
})
