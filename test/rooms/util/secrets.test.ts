import { expect, test } from 'vitest'
import { readSecrets } from '../../../src/util/seal.ts'

const one = 'a'.repeat(32)
const other = 'b'.repeat(44)

test('reads one secret or several, in their order', () => {
  expect(readSecrets(one)).toEqual([one])
  expect(readSecrets(`${other},${one}`)).toEqual([other, one])
})

test('does not count white space, such as the newline of a piped file', () => {
  expect(readSecrets(` ${one} , ${other}\n`)).toEqual([one, other])
})

test.each(['', 'a'.repeat(31), `${one},`, `${one},short`, `short,${one}`])(
  'refuses "%s" and says how to make a good one',
  (text) => {
    expect(() => readSecrets(text)).toThrow(RangeError)
    expect(() => readSecrets(text)).toThrow(
      /openssl rand -base64 32.*wrangler secret put STATE_KEY/,
    )
  },
)

test('does not tell the secret that it refuses', () => {
  expect(() => readSecrets('hunter2')).toThrow(/^(?!.*hunter2)/)
})
