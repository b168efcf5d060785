import { describe, expect, it } from 'vitest'
import { createCheck } from '../../../src/schema/check.ts'
import type { JsonSchema } from '../../../src/schema/standard.ts'

const refused = {
  ok: false,
  problems: ['The value is too large or too deeply nested to check. Send less at once.'],
}

const branch = (name: string): JsonSchema => ({
  required: [name],
  properties: { next: { $ref: '#/$defs/node' } },
})
const doubling = { $ref: '#/$defs/node', $defs: { node: { anyOf: [branch('a'), branch('b')] } } }
const chain = { $ref: '#/$defs/node', $defs: { node: { properties: { next: { $ref: '#' } } } } }
const many = (make: (index: number) => unknown): unknown[] =>
  Array.from({ length: 500 }, (_, index) => make(index))

const attacks: readonly [name: string, schema: JsonSchema, value: unknown][] = [
  ['200,000 items to compare with each other', { uniqueItems: true }, numbers(200_000)],
  ['100,000 objects to compare', { uniqueItems: true }, numbers(100_000).map((n) => ({ n }))],
  ['64 levels that double the work', doubling, nested(64)],
  ['20,000 levels', chain, nested(20_000)],
  [
    '100,000 items with 500 alternatives each',
    { items: { anyOf: many((index) => ({ const: `c${index}` })) } },
    numbers(100_000),
  ],
  [
    '100,000 fields that 500 alternatives list',
    { anyOf: many((index) => ({ required: [`c${index}`] })) },
    Object.fromEntries(numbers(100_000).map((n) => [`k${n}`, n])),
  ],
  ['a schema that is its own reference', { $ref: '#' }, {}],
]

describe('hostile values', () => {
  // each would run for minutes, or until the stack overflows, without a bound
  it.each(attacks)('are refused before they cost a second: %s', (_, schema, value) => {
    expect(createCheck(schema)(value)).toEqual(refused)
  })

  it('leave the check as it was for the next value', () => {
    const check = createCheck({ uniqueItems: true })
    expect(check(numbers(200_000))).toEqual(refused)
    expect(check([1, 2])).toEqual({ ok: true, value: [1, 2] })
  })

  it('are told from large ones that take one look an item', () => {
    const value = numbers(90_000)
    expect(createCheck({ items: { type: 'number' } })(value)).toEqual({ ok: true, value })
  })

  it.each(['uri', 'email', 'uri-template', 'hostname', 'ipv6', 'json-pointer', 'date-time'])(
    'do not make the format %s backtrack',
    (format) => {
      const value = `${'a.:/'.repeat(100_000)} `
      expect(createCheck({ format })(value)).toHaveProperty('ok', false)
    },
  )

  it('do not reach a pattern for URLs that backtracks', () => {
    const value = `http://${'a'.repeat(60)}!`
    expect(createCheck({ format: 'url' })(value)).toEqual({ ok: true, value })
  })

  it('may have names that no URI can spell', () => {
    const problems = ['The value has a field whose name is not valid Unicode.']
    const check = createCheck({ additionalProperties: { type: 'string' } })
    expect(check({ '\ud800': 1 })).toEqual({ ok: false, problems })
  })
})

function numbers(length: number): number[] {
  return Array.from({ length }, (_, index) => index)
}

function nested(levels: number): unknown {
  let value: unknown = 0
  for (let level = 0; level < levels; level++) value = { next: value }
  return value
}
