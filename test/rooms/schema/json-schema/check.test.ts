import { describe, expect, it } from 'vitest'
import { createCheck } from '../../../../src/schema/check.ts'
import '../../../../src/schema/json-schema/register.ts'
import type { JsonSchema } from '../../../../src/schema/standard-schema.ts'

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
    '100,000 fields that 500 alternatives count',
    { anyOf: many(() => ({ maxProperties: 5 })) },
    Object.fromEntries(numbers(100_000).map((n) => [`k${n}`, n])),
  ],
  ['a schema that is its own reference', { $ref: '#' }, {}],
]

it('lists every problem of a value, not only the first', () => {
  expect(createCheck({ minimum: 5, multipleOf: 2, enum: [6] })(3)).toEqual({
    ok: false,
    problems: [
      'The value must be 6, but is 3.',
      'The value must be at least 5, but is 3.',
      'The value must be a multiple of 2, but is 3.',
    ],
  })
})

describe('hostile values', () => {
  // without a bound each runs for minutes, or until the stack overflows
  it.each(attacks)('are refused soon: %s', async (_, schema, value) => {
    const begun = performance.now()
    const checked = await createCheck(schema)(value)
    // Date and performance stand still in a Worker in production, and not here
    expect(performance.now() - begun).toBeLessThan(5_000)
    expect(checked.ok).toBe(false)
    expect(JSON.stringify(checked).length).toBeLessThan(6_000)
  })

  it('do not change the check of the next value', () => {
    const check = createCheck({ uniqueItems: true })
    expect(check(numbers(200_000))).toEqual(refused)
    expect(check([1, 2])).toEqual({ ok: true, value: [1, 2] })
  })

  it.each<[string, JsonSchema]>([
    ['a text', { pattern: '^(\\w+\\.)*\\w+$' }],
    ['a text that must not match', { not: { pattern: '\\s+$' } }],
    ['a name', { patternProperties: { '\\s+$': false } }],
    ['an allowed name', { propertyNames: { pattern: '\\w+$' } }],
  ])('are not matched if %s is too long for its pattern', (kind, schema) => {
    const check = createCheck(schema)
    const make = (length: number): unknown => {
      const text = 'a'.repeat(length)
      return kind.endsWith('name') ? { [text]: 1 } : text
    }
    expect(check(make(500))).toEqual({ ok: true, value: make(500) })
    expect(check(make(501))).toMatchObject({
      ok: false,
      problems: [
        expect.stringMatching(
          /^A text of more than 500 characters cannot be matched against .* Sho/,
        ),
      ],
    })
  })

  it.each(['^[A-Za-z0-9+/]*={0,2}$', '^data:', '^\\d{4}-\\d\\d', 'b', '^(?:a|b)c*'])(
    'do not include long texts for a pattern that reads them once: %s',
    (pattern) => {
      const value = 'abc0'.repeat(50_000)
      expect(createCheck({ pattern })(value)).not.toMatchObject({
        problems: [expect.stringContaining('cannot be matched')],
      })
    },
  )

  it('do not match many long texts', () => {
    const check = createCheck({ items: { pattern: '^.+@.+\\..+$' } })
    const long = many(() => '@.'.repeat(250))
    expect(check(long)).toEqual(refused)
    const ordinary = many((index) => `customer.${index}@shop.example`)
    expect(check(ordinary)).toEqual({ ok: true, value: ordinary })
  })

  it.each([
    ['700 texts', many((index) => `text ${index}`).concat(many((index) => `more ${index}`))],
    ['500 objects', many((index) => ({ name: `item ${index}`, price: 1 }))],
    ['1 and "1"', [1, '1', true, 'true', null, 'null']],
  ])('do not include ordinary arrays whose items differ: %s', (_, value) => {
    expect(createCheck({ uniqueItems: true })(value)).toEqual({ ok: true, value })
  })

  it.each([
    ['texts', ['a', 'b', 'a']],
    ['objects in another order', [{ a: 1, b: [2] }, 1, { b: [2], a: 1 }]],
    ['the last of 1,000', [...numbers(1_000), 0]],
  ])('with a duplicate item are refused: %s', (_, tags) => {
    const items = { type: ['string', 'number', 'object'] }
    const check = createCheck({ properties: { tags: { uniqueItems: true, items, minItems: 1 } } })
    const problems = ['"tags" must not hold the same item twice.']
    expect(check({ tags, other: [1, 1] })).toEqual({ ok: false, problems })
  })

  it('are compared within alternatives too, and no other read counts as a comparison', () => {
    const schema: JsonSchema = {
      anyOf: [{ uniqueItems: true }, { type: 'array', items: { const: 1 }, maxItems: 3 }],
    }
    const check = createCheck(schema)
    expect(check([1, 1])).toEqual({ ok: true, value: [1, 1] })
    expect(check([2, 2])).toHaveProperty('ok', false)
    expect(check('text')).toEqual({ ok: true, value: 'text' })
  })

  it('do not include large arrays that need one step an item', () => {
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

  it('may have names that are not valid Unicode', () => {
    const problems = [String.raw`"\ud800" must be a string, but is a number.`]
    const check = createCheck({ additionalProperties: { type: 'string' } })
    expect(check({ '\ud800': 1 })).toEqual({ ok: false, problems })
  })

  it('with 100,000 fields cost one look for each alternative', () => {
    const schema = { anyOf: many((index) => ({ required: [`c${index}`] })) }
    const value = Object.fromEntries(numbers(100_000).map((n) => [`k${n}`, n]))
    expect(createCheck(schema)(value)).toEqual({
      ok: false,
      problems: [expect.stringContaining('either "c0" is missing, or "c1" is missing')],
    })
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

it.each([
  [1e10, 1, false],
  [1e10, 30_000_000_000, true],
  [2 ** 40, 5, false],
  [1, 3.000_000_000_5, false],
  [0.1, 0.7, true],
  [0.01, -19.99, true],
  [1e-7, 1.2e-7, false],
  [3, 1e300, false],
  [2.5, 1e308, true],
  [5e-324, 1, true],
  [7, 0, true],
])('multipleOf %d of %d is %s', async (multipleOf, value, ok) => {
  expect((await createCheck({ multipleOf })(value)).ok).toBe(ok)
})
