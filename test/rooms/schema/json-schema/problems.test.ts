import { describe, expect, it } from 'vitest'
import { createCheck } from '../../../../src/schema/check.ts'
import '../../../../src/schema/json-schema/register.ts'
import type { JsonSchema } from '../../../../src/schema/standard-schema.ts'

const circle = { properties: { kind: { const: 'circle' } }, required: ['kind'] }
const square = {
  properties: { kind: { const: 'square' }, side: { type: 'number' } },
  required: ['kind', 'side'],
}

const table: readonly [
  behaviour: string,
  schema: JsonSchema,
  value: unknown,
  ...sentences: string[],
][] = [
  ['a wrong type', { type: 'number' }, 'five', '"f" must be a number, but is a string.'],
  [
    'several types',
    { type: ['string', 'null'] },
    1,
    '"f" must be a string or null, but is a number.',
  ],
  ['an enum', { enum: ['red', 'green'] }, 'blue', '"f" must be "red" or "green", but is "blue".'],
  ['a constant', { const: { a: 1 } }, 2, '"f" must be {"a":1}, but is 2.'],
  ['a maximum', { exclusiveMaximum: 3 }, 3, '"f" must be less than 3, but is 3.'],
  ['a length', { minLength: 3 }, '😀', '"f" must have at least 3 characters.'],
  ['fields', { maxProperties: 0 }, { a: 1 }, '"f" must have at most 0 fields, but has 1.'],
  ['a pattern', { pattern: '^a' }, 'b', '"f" must be text that matches /^a/, but is "b".'],
  ['a format', { format: 'ipv4' }, '1.2', '"f" must be an IPv4 address, but is "1.2".'],
  ['a multiple', { multipleOf: 0.5 }, 0.7, '"f" must be a multiple of 0.5, but is 0.7.'],
  ['duplicates', { uniqueItems: true }, [1, 1], '"f" must not hold the same item twice.'],
  ['an excluded value', { not: { const: 1 } }, 1, '"f" has a value that the schema rules out.'],
  ['a field that is false', { properties: { a: false } }, { a: 1 }, '"f.a" is not allowed here.'],
  ['an unknown field', { additionalProperties: false }, { a: 1 }, '"f.a" is not allowed here.'],
  [
    'an unevaluated field',
    { unevaluatedProperties: false },
    { a: 1 },
    '"f.a" is not allowed here.',
  ],
  [
    'a missing field with its type',
    { properties: { a: { type: 'string' } }, required: ['a', 'constructor'] },
    {},
    '"f.a" is missing and must be a string.',
    '"f.constructor" is missing.',
  ],
  ['a field another needs', { dependentRequired: { a: ['b'] } }, { a: 1 }, '"f.b" is missing.'],
  ['draft-07 dependencies', { dependencies: { a: ['b'] } }, { a: 1 }, '"f.b" is missing.'],
  ['a name', { propertyNames: { maxLength: 1 } }, { ab: 1 }, '"f.ab" is not an allowed name.'],
  [
    'only the count of items that must fit',
    { contains: { type: 'string' }, minContains: 2 },
    [1, 'a'],
    '"f" must hold at least 2 of the items that the schema asks for.',
  ],
  [
    'a union of types',
    { anyOf: [{ type: 'string' }, { type: 'number' }] },
    true,
    '"f" must be a string or a number, but is a boolean.',
  ],
  [
    'an unknown tag',
    { oneOf: [circle, square] },
    { kind: 'cone' },
    '"f.kind" must be "circle" or "square", but is "cone".',
  ],
  [
    'a known tag',
    { oneOf: [circle, square] },
    { kind: 'square' },
    '"f.side" is missing and must be a number.',
  ],
  [
    'too many fitting forms',
    { oneOf: [{}, { type: 'number' }, { type: 'string' }] },
    1,
    '"f" fits several forms of which only one is allowed.',
  ],
  [
    'a condition',
    { if: { properties: { a: { const: 2 } } }, else: { required: ['b'] } },
    { a: 1 },
    '"f.b" is missing.',
  ],
  [
    'every problem once, through references',
    { items: { $ref: '#/$defs/entry' } },
    [{ price: 'x' }, 1],
    '"f[0].price" must be a number, but is a string.',
    '"f[1]" must be an object, but is a number.',
  ],
  [
    'names that URIs and pointers would escape',
    { properties: { 'a/~%#é': { type: 'string' } } },
    { 'a/~%#é': 1 },
    `"f['a/~%#é']" must be a string, but is a number.`,
  ],
]

describe('the sentences of a failed JSON Schema check', () => {
  it.each(table)('describe %s', (_, field, value, ...sentences) => {
    const entry = { type: 'object', properties: { price: { type: 'number' } } }
    const check = createCheck({ type: 'object', properties: { f: field }, $defs: { entry } })
    expect(check({ f: value })).toEqual({ ok: false, problems: sentences })
  })

  it('list twenty problems and count the rest', () => {
    const result = createCheck({ items: { type: 'string' } })(Array.from({ length: 25 }, () => 1))
    const problems = result instanceof Promise || result.ok ? [] : result.problems
    expect(problems).toHaveLength(21)
    expect(problems.at(-1)).toBe('5 more problems are not listed.')
  })
})
