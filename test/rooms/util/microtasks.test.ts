import { expect, test } from 'vitest'
import { mapSync, endsQuickly } from '../../../src/util/microtasks.ts'

test('mapSync: maps a value at once', () => {
  expect(mapSync(1, (one) => one + 1)).toBe(2)
})

test('mapSync: maps a promise when it settles', async () => {
  const later = Promise.resolve(1)
  await expect(mapSync(later, (one) => one + 1)).resolves.toBe(2)
  const fault = new Error('no')
  await expect(mapSync(Promise.reject<number>(fault), (one) => one + 1)).rejects.toBe(fault)
})

async function takeTurns(count: number): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve()
}

test.each([0, 1, 10, 25])(
  'endsQuickly: resolves true for work of %i microtasks without I/O',
  async (count) => {
    expect(await endsQuickly(takeTurns(count))).toBe(true)
  },
)

test('endsQuickly: resolves true for a rejected promise, which stays with its owner', async () => {
  const work = Promise.reject(new Error('fault'))
  expect(await endsQuickly(work)).toBe(true)
  await expect(work).rejects.toThrow('fault')
})

test.each([() => scheduler.wait(50), () => new Promise(() => {})])(
  'endsQuickly: resolves false for work with I/O (%#)',
  async (work) => {
    expect(await endsQuickly(work())).toBe(false)
  },
)
