import { expect, test } from 'vitest'
import { toPlainData } from '../../../src/objects/plain-data.ts'
import { deepen, notPlain } from './plain-data-fixture.ts'

test.each([...notPlain])('refuses %s', (what, make) => {
  expect(() => toPlainData(make(), 'add of basket returned')).toThrow(
    new TypeError(
      `add of basket returned ${what}. Nothing was changed. Only plain data can go into and out of a ` +
        'handle: text, numbers, booleans, null, undefined, dates, bytes, and arrays, objects, maps ' +
        'and sets of these.',
    ),
  )
})

test.each([
  ['text', 'tea'],
  ['half a character', '\uD83E'],
  ['a number that JSON cannot represent', Number.NaN],
  ['a large integer', 10n ** 30n],
  ['nothing', undefined],
  ['null', null],
  ['an object', { a: [1, { b: true }], c: undefined }],
  ['a map', new Map<unknown, unknown>([[{ key: 1 }, new Date(0)]])],
  ['a set', new Set(['a', 1])],
  ['bytes', new Uint8Array([1, 2])],
  ['numbers', new Float32Array([0.5])],
  ['a buffer', new Uint8Array([1, 2]).buffer],
  ['a key called __proto__', JSON.parse('{"__proto__": {"a": 1}}')],
  ['as much text as the limit allows', 'a'.repeat(15.5 * 1024 * 1024 - 8)],
  ['as many levels as the limit allows', deepen(500)],
])('copies %s', (_, value: unknown) => {
  const copied = toPlainData(value, '')
  expect(copied).toEqual(value)
  expect(structuredClone(copied)).toEqual(value)
})

test('makes objects plain on which RPC would fail', () => {
  const grouped = Object.groupBy(['tea', 'cup', 'pot'], (word) => word.slice(1))
  const copied = toPlainData([grouped, new Proxy({ a: 1 }, {})], '')
  expect(copied).toEqual([{ ea: ['tea'], up: ['cup'], ot: ['pot'] }, { a: 1 }])
  expect(Object.getPrototypeOf(Object(copied)[0])).toBe(Object.prototype)
})

test('an object that is referenced twice is copied twice, and a circular value is refused', () => {
  const cup = { of: 'tea' }
  expect(toPlainData([cup, cup], '')).toEqual([cup, cup])
  const circle: unknown[] = []
  circle.push(circle, circle)
  expect(() => toPlainData(circle, 'It')).toThrow('It more than 500 levels.')
})

test.each([
  ['many small values', () => Array.from({ length: 2 ** 21 }, () => 0)],
  ['long keys', () => ({ ['a'.repeat(2 ** 24)]: 1 })],
  ['the buffer of a small view', () => new Uint8Array(new ArrayBuffer(2 ** 25), 0, 1)],
  ['an array of holes', () => Array(2 ** 32 - 1)],
])('counts %s', (_, make) => {
  expect(() => toPlainData(make(), 'It')).toThrow('It more than 31 MiB.')
})
