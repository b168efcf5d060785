import { expect, test } from 'vitest'
import { toDigest, toCanonicalJson } from '../../../src/util/digest.ts'

test('a digest is the SHA-256 of the canonical JSON in Base64url', async () => {
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
])('has different digests for %s', async (_, one, other) => {
  expect(await toDigest(one)).not.toBe(await toDigest(other))
})

test('does not depend on the order of keys, at any depth', () => {
  const one = { b: [{ y: 1, x: 2 }], a: 'text' }
  const other = { a: 'text', b: [{ x: 2, y: 1 }] }
  expect(toCanonicalJson(one)).toBe('{"a":"text","b":[{"x":2,"y":1}]}')
  expect(toCanonicalJson(other)).toBe(toCanonicalJson(one))
})

test('depends on the order of lists', () => {
  expect(toCanonicalJson([1, 2])).not.toBe(toCanonicalJson([2, 1]))
})

test('leaves undefined members out, as JSON does', () => {
  expect(toCanonicalJson({ a: undefined, b: null })).toBe('{"b":null}')
})

test('keeps a key named __proto__', () => {
  const value: unknown = JSON.parse('{"z":1,"__proto__":{"b":1,"a":2}}')
  expect(toCanonicalJson(value)).toBe('{"__proto__":{"a":2,"b":1},"z":1}')
})

test('distinguishes a lone surrogate from the character that would replace it', () => {
  expect(toCanonicalJson('\ud800')).not.toBe(toCanonicalJson('\ufffd'))
})

test.each([[undefined], [() => 1], [Symbol('s')]])('refuses %s', (value) => {
  expect(() => toCanonicalJson(value)).toThrow(/^JSON cannot represent/)
})
