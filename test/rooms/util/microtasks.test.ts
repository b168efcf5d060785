import { expect, test } from 'vitest'
import { follow } from '../../../src/util/microtasks.ts'

test('a value that is there is followed at once', () => {
  expect(follow(1, (one) => one + 1)).toBe(2)
})

test('a promise is followed once it is settled', async () => {
  const later = Promise.resolve(1)
  await expect(follow(later, (one) => one + 1)).resolves.toBe(2)
  const fault = new Error('no')
  await expect(follow(Promise.reject<number>(fault), (one) => one + 1)).rejects.toBe(fault)
})
