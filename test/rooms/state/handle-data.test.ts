import { expect, test } from 'vitest'
import { toData } from '../../../src/objects/handle-state.ts'
import { deepen, unfit } from './parcel.ts'

test.each([...unfit])('refuses %s', (what, make) => {
  expect(() => toData(make(), 'add of basket returned')).toThrow(
    new TypeError(
      `add of basket returned ${what}. Nothing was changed, as only plain data goes into and out of a ` +
        'handle: text, numbers, booleans, null, undefined, dates, bytes, and arrays, objects, maps ' +
        'and sets of these.',
    ),
  )
})

test.each([
  ['text', 'tea'],
  ['half a character', '\uD83E'],
  ['a number that JSON cannot carry', Number.NaN],
  ['a large integer', 10n ** 30n],
  ['nothing', undefined],
  ['null', null],
  ['an object', { a: [1, { b: true }], c: undefined }],
  ['a map', new Map<unknown, unknown>([[{ key: 1 }, new Date(0)]])],
  ['a set', new Set(['a', 1])],
  ['bytes', new Uint8Array([1, 2])],
  ['numbers', new Float32Array([0.5])],
  ['a buffer', new Uint8Array([1, 2]).buffer],
  ['a key that is no prototype', JSON.parse('{"__proto__": {"a": 1}}')],
  ['as much text as there may be', 'a'.repeat(15.5 * 1024 * 1024 - 8)],
  ['as many levels as there may be', deepen(500)],
])('carries %s', (_, value: unknown) => {
  const copied = toData(value, '')
  expect(copied).toEqual(value)
  expect(structuredClone(copied)).toEqual(value)
})

test('makes plain what RPC would break on', () => {
  const grouped = Object.groupBy(['tea', 'cup', 'pot'], (word) => word.slice(1))
  const copied = toData([grouped, new Proxy({ a: 1 }, {})], '')
  expect(copied).toEqual([{ ea: ['tea'], up: ['cup'], ot: ['pot'] }, { a: 1 }])
  expect(Object.getPrototypeOf(Object(copied)[0])).toBe(Object.prototype)
})

test('what is there twice comes twice, and a circle is refused', () => {
  const cup = { of: 'tea' }
  expect(toData([cup, cup], '')).toEqual([cup, cup])
  const circle: unknown[] = []
  circle.push(circle, circle)
  expect(() => toData(circle, 'It')).toThrow('It more than 500 levels.')
})

test.each([
  ['many small values', () => Array.from({ length: 2 ** 21 }, () => 0)],
  ['long keys', () => ({ ['a'.repeat(2 ** 24)]: 1 })],
  ['the buffer of a small view', () => new Uint8Array(new ArrayBuffer(2 ** 25), 0, 1)],
  ['an array of holes', () => Array(2 ** 32 - 1)],
])('counts %s', (_, make) => {
  expect(() => toData(make(), 'It')).toThrow('It more than 31 MiB.')
})
