import { describe, expect, test } from 'vitest'
import { findJsonLoss, toExactJson } from '../../../src/protocol/json.ts'

class Money {
  readonly #cents = 5
  get cents(): number {
    return this.#cents
  }
}
class Point {
  readonly x = 1
}
class Named extends Money {
  readonly name = 'a'
}

describe('what JSON represents', () => {
  test.each<[string, unknown, string]>([
    ['null and flags', [null, true, false], '[null,true,false]'],
    ['optional members', { a: undefined, b: 1 }, '{"b":1}'],
    ['a Date, as text', { at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}'],
    ['a URL, as text', new URL('https://a.example/'), '"https://a.example/"'],
    ['an instance with nothing but data', new Point(), '{"x":1}'],
    ['an object without a prototype', Object.assign(Object.create(null), { a: 1 }), '{"a":1}'],
    ['a value that its toJSON returns', { toJSON: () => ({ a: [1] }) }, '{"a":[1]}'],
    ['boxed values', [Object('a'), Object(1), Object(false)], '["a",1,false]'],
    ['one object in two places', [point, point], '[{"x":1},{"x":1}]'],
    ['a toJSON that returns its own object', own(), '{"a":1}'],
  ])('%s', (_, value, json) => {
    expect(toExactJson('It is a value', value)).toBe(json)
  })
})

const point = { x: 1 }

function own(): object {
  const value = { a: 1 }
  Object.defineProperty(value, 'toJSON', { value: () => value })
  return value
}

test.each<[string, unknown, string]>([
  ['undefined', undefined, ' is undefined.'],
  ['a bigint', { a: [1n] }, '.a[0] is a bigint.'],
  ['a boxed bigint', Object(1n), ' is an instance of the class BigInt.'],
  ['NaN', [Number.NaN], '[0] is NaN.'],
  ['boxed NaN', { a: Object(Number.NaN) }, '.a is NaN.'],
  ['Infinity', { a: -Infinity }, '.a is -Infinity.'],
  ['a function', { a: () => 1 }, '.a is a function.'],
  ['a symbol', [Symbol('a')], '[0] is a symbol.'],
  ['undefined in an array', [1, undefined], '[1] is undefined.'],
  // oxlint-disable-next-line no-sparse-arrays
  ['a hole in an array', [1, , 3], '[1] is undefined.'],
  ['a Map', { a: new Map([['b', 1]]) }, '.a is a Map. Use Object.fromEntries(map)'],
  ['a Map with members', Object.assign(new Map(), { b: 1 }), ' is a Map.'],
  ['a Set', new Set([1]), ' is a Set. Use [...set].'],
  ['a WeakMap', new WeakMap(), ' is an instance of the class WeakMap.'],
  ['bytes', { a: new Uint8Array(3) }, '.a is binary data.'],
  ['a buffer', new ArrayBuffer(3), ' is binary data.'],
  ['numbers of a fixed size', new Float64Array(2), ' is binary data.'],
  ['an invalid Date', { at: new Date('x') }, '.at is an invalid Date.'],
  ['an Error', Object.assign(new Error('a'), { code: 1 }), ' is an Error. Use its message.'],
  ['a promise', { a: Promise.resolve(1) }, '.a is a promise. Await it first.'],
  ['a regular expression', /a/, ' is an instance of the class RegExp.'],
  ['headers', new Headers({ a: 'b' }), ' is an instance of the class Headers.'],
  ['a class with private members', new Money(), ' is an instance of the class Money.'],
  ['a class that inherits a getter', new Named(), ' is an instance of the class Named.'],
  ['a loss in what toJSON returns', { a: { toJSON: () => [new Map()] } }, '.a[0] is a Map.'],
  ['a toJSON that returns nothing', [{ toJSON: () => undefined }], '[0] is undefined.'],
])('JSON would change %s', (_, value, why) => {
  expect(findJsonLoss(value)).toMatch(why.startsWith(' ') ? /^ is/ : /^[.[]/)
  expect(findJsonLoss(value)).toContain(why)
  expect(() => toExactJson('It is a value', value)).toThrow(
    `It is a value that JSON cannot represent: the value${why}`,
  )
})

describe('a value without an end', () => {
  test('is named where it contains itself', () => {
    const order: Record<string, unknown> = { id: 1 }
    order['items'] = [{ order }]
    expect(findJsonLoss({ result: order })).toBe(
      '.result.items contains itself. Use a copy without the circle.',
    )
    const list: unknown[] = []
    list.push(list)
    expect(findJsonLoss(list)).toBe(' contains itself. Use a copy without the circle.')
  })

  test('has at most 500 levels', () => {
    expect(findJsonLoss(nest(499))).toBeNull()
    expect(findJsonLoss(nest(10_000))).toBe(' has more than 500 levels.')
  })

  test('may come from toJSON', () => {
    const endless = (): object => ({ next: { toJSON: endless } })
    expect(findJsonLoss(endless())).toBe(' has more than 500 levels.')
  })
})

function nest(levels: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < levels; level += 1) value = { value }
  return value
}

test('objects that each have the next one twice are refused soon', () => {
  let value: object = {}
  for (let level = 0; level < 40; level += 1) value = { a: value, b: value }
  const begun = performance.now()
  expect(findJsonLoss(value)).toMatch(/is one of more than 2000000 objects/)
  expect(performance.now() - begun).toBeLessThan(5_000)
})
