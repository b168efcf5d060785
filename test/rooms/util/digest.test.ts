import { expect, test } from 'vitest'
import { toDigest } from '../../../src/util/digest.ts'

test('is the SHA-256 of the canonical JSON in Base64url', async () => {
  // printf '{"a":1,"b":2}' | openssl dgst -sha256 -binary | basenc --base64url
  const digest = 'QyWM_3g_5wNtikMDP4MK38YOwDc4JHNUisdCuIgpJ3c'
  expect(await toDigest({ b: 2, a: 1 })).toBe(digest)
  expect(await toDigest({ a: 1, b: 2 })).toBe(digest)
})

test.each([
  ['a value and its text', 1, '1'],
  ['null and an empty object', null, {}],
  ['a nested list and a flat one', [['a'], 'b'], ['a', ['b']]],
  ['a lone surrogate and its replacement', ['\ud800'], ['\ufffd']],
])('tells %s apart', async (_, one, other) => {
  expect(await toDigest(one)).not.toBe(await toDigest(other))
})
