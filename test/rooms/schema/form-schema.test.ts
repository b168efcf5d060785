import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import * as mini from 'zod/mini'
import { toFormSchema } from '../../../src/schema/form-schema.ts'
import type { Schema } from '../../../src/schema/standard-schema.ts'

const { _default: withDefault } = mini
const fieldOf = (field: z.ZodType) => toFormSchema(z.object({ field })).properties['field']
const plain = (field: unknown): Schema => ({ type: 'object', properties: { field } })

describe('converts a field of zod', () => {
  test.each<[string, z.ZodType, object]>([
    ['text', z.string(), { type: 'string' }],
    ['lengths', z.string().min(3).max(50), { type: 'string', minLength: 3, maxLength: 50 }],
    [
      'title, description and default',
      z.string().default('Ann').describe('What to call you').meta({ title: 'Name' }),
      { type: 'string', title: 'Name', description: 'What to call you', default: 'Ann' },
    ],
    ['an e-mail address', z.email(), { type: 'string', format: 'email' }],
    ['a URL', z.url(), { type: 'string', format: 'uri' }],
    ['a date', z.iso.date(), { type: 'string', format: 'date' }],
    ['a date and time', z.iso.datetime(), { type: 'string', format: 'date-time' }],
    ['an optional field', z.string().optional(), { type: 'string' }],
    ['a refined field', z.string().refine((text) => text !== 'x'), { type: 'string' }],
    [
      'a transformed field, as it is before the transformation',
      z.string().transform(Number),
      { type: 'string' },
    ],
    ['a read-only field', z.string().readonly(), { type: 'string' }],
    ['a number', z.number().min(0).max(1), { type: 'number', minimum: 0, maximum: 1 }],
    ['an integer, without the safe range', z.int(), { type: 'integer' }],
    ['an integer with bounds', z.int().min(1).max(9), { type: 'integer', minimum: 1, maximum: 9 }],
    ['an integer above zero', z.int().positive(), { type: 'integer', minimum: 1 }],
    ['an integer below five', z.int().lt(5), { type: 'integer', maximum: 4 }],
    ['a narrow integer', z.int32(), { type: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }],
    ['a boolean', z.boolean().default(false), { type: 'boolean', default: false }],
    [
      'a choice',
      z.enum(['red', 'green']).default('red'),
      { type: 'string', enum: ['red', 'green'], default: 'red' },
    ],
    ['a constant', z.literal('yes'), { type: 'string', enum: ['yes'] }],
    ['several constants', z.literal(['a', 'b']), { type: 'string', enum: ['a', 'b'] }],
    [
      'a union of constants',
      z.union([z.literal('a'), z.literal('b')]),
      { type: 'string', enum: ['a', 'b'] },
    ],
    [
      'a union of constants with titles',
      z.union([z.literal('#f00').meta({ title: 'Red' }), z.literal('blue')]).default('blue'),
      {
        type: 'string',
        oneOf: [
          { const: '#f00', title: 'Red' },
          { const: 'blue', title: 'blue' },
        ],
        default: 'blue',
      },
    ],
    [
      'a choice with the deprecated enumNames',
      z.enum(['a', 'b']).meta({ enumNames: ['A', 'B'] }),
      { type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'] },
    ],
    [
      'a choice of several',
      z
        .array(z.enum(['a', 'b', 'c']))
        .min(1)
        .max(2)
        .default(['a']),
      {
        type: 'array',
        items: { type: 'string', enum: ['a', 'b', 'c'] },
        minItems: 1,
        maxItems: 2,
        default: ['a'],
      },
    ],
    [
      'a choice of several with titles',
      z.array(z.union([z.literal('a').meta({ title: 'A' }), z.literal('b').meta({ title: 'B' })])),
      {
        type: 'array',
        items: {
          anyOf: [
            { const: 'a', title: 'A' },
            { const: 'b', title: 'B' },
          ],
        },
      },
    ],
  ])('%s', (_, field, printed) => {
    expect(fieldOf(field)).toEqual(printed)
  })
})

describe('converts a field of plain JSON Schema', () => {
  test.each<[string, object, object]>([
    [
      'a choice with titles',
      { type: 'string', oneOf: [{ const: 'a', title: 'A' }] },
      { type: 'string', oneOf: [{ const: 'a', title: 'A' }] },
    ],
    ['an enum without its type', { enum: ['a'] }, { type: 'string', enum: ['a'] }],
    [
      'a choice of several, each at most once',
      { type: 'array', uniqueItems: true, items: { enum: ['a'] } },
      { type: 'array', items: { type: 'string', enum: ['a'] } },
    ],
    [
      'a choice of several with titles, in the spelling oneOf',
      { type: 'array', items: { oneOf: [{ const: 'a', title: 'A' }] } },
      { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } },
    ],
    [
      'the tighter of two bounds',
      { type: 'integer', minimum: 5, exclusiveMinimum: 2 },
      { type: 'integer', minimum: 5 },
    ],
    ['notes to the reader', { type: 'string', examples: ['a'], $comment: 'c' }, { type: 'string' }],
  ])('%s', (_, field, printed) => {
    expect(toFormSchema(plain(field)).properties['field']).toEqual(printed)
  })
})

test('requires the fields without a default that are not optional', () => {
  const schema = z.object({ a: z.string(), b: z.string().optional(), c: z.int().default(1) })
  expect(toFormSchema(schema)).toEqual({
    type: 'object',
    properties: {
      a: { type: 'string' },
      b: { type: 'string' },
      c: { type: 'integer', default: 1 },
    },
    required: ['a'],
  })
})

test('leaves `required` out of a form without required fields', () => {
  expect(toFormSchema(z.object({}))).toEqual({ type: 'object', properties: {} })
})

test('leaves out the dialect, title and additionalProperties of the whole schema', () => {
  const strict = z.strictObject({ a: z.string() }).meta({ title: 'Form' })
  const expected = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }
  expect(toFormSchema(strict)).toEqual(expected)
  const draft07 = { $schema: 'http://json-schema.org/draft-07/schema#', ...expected }
  expect(toFormSchema({ ...draft07, additionalProperties: false })).toEqual(expected)
})

test('a field named __proto__ stays a field', () => {
  const schema: unknown = JSON.parse('{"__proto__":{"type":"string"}}')
  const { properties } = toFormSchema({ type: 'object', properties: schema })
  expect(JSON.stringify(properties)).toBe('{"__proto__":{"type":"string"}}')
})

test('converts a schema of zod/mini that is wrapped to print itself', () => {
  const schema = mini.object({ mail: mini.email(), age: withDefault(mini.int(), 18) })
  expect(toFormSchema(mini.toJSONSchema(schema))).toEqual({
    type: 'object',
    properties: {
      mail: { type: 'string', format: 'email' },
      age: { type: 'integer', default: 18 },
    },
    required: ['mail'],
  })
})

describe('refuses a field that does not fit a form, by name and with the reason', () => {
  const shared = z.string().meta({ id: 'Shared' })
  test.each<[string, z.ZodType, RegExp]>([
    ['an object', z.object({ city: z.string() }), /it is an object, and forms are flat/],
    ['a list of text', z.array(z.string()), /only from a fixed choice/],
    ['a list of objects', z.array(z.object({})), /only from a fixed choice/],
    ['a record', z.record(z.string(), z.string()), /it is an object/],
    ['a union', z.union([z.string(), z.number()]), /type is not string/],
    ['a union with an object', z.union([z.string(), z.object({})]), /it is a union/],
    ['null', z.string().nullable(), /may be null.*Make it optional/],
    ['a UUID', z.uuid(), /format "uuid" is not email/],
    ['an IP address', z.ipv4(), /format "ipv4" is not email/],
    ['a pattern', z.string().regex(/^a/), /no "pattern"/],
    ['a pattern beside a format', z.email().regex(/x$/), /no "allOf"/],
    ['a step', z.number().multipleOf(5), /no "multipleOf"/],
    ['a fraction above zero', z.number().positive(), /Use a minimum/],
    ['a fraction below one', z.number().lt(1), /Use a maximum/],
    ['a choice of numbers', z.literal([1, 2]), /Use an enum of strings/],
    ['a constant that is not text', z.literal(true), /no constants/],
    ['anything', z.any(), /type is not string/],
    ['a shared definition', shared, /in place/],
  ])('%s', (_, field, why) => {
    expect(() => fieldOf(field)).toThrow(TypeError)
    expect(() => fieldOf(field)).toThrow(/^A form cannot have the field "field": /)
    expect(() => fieldOf(field)).toThrow(why)
  })

  test.each<[string, unknown, RegExp]>([
    ['a boolean schema', true, /type is not string/],
    ['a default of another type', { type: 'integer', default: '1' }, /default is not a value/],
    [
      'a default that is not a list',
      { type: 'array', items: { enum: ['a'] }, default: 'a' },
      /default is not/,
    ],
    ['null among the types', { type: ['string', 'null'] }, /may be null/],
    ['a condition', { type: 'string', if: {} }, /no "if"/],
    ['a reference', { $ref: '#/$defs/a' }, /in place/],
  ])('%s', (_, field, why) => {
    expect(() => toFormSchema(plain(field))).toThrow(why)
  })
})

test.each<[string, Schema, RegExp]>([
  ['text', z.string(), /needs an object schema/],
  ['a list', { type: 'array' }, /needs an object schema/],
  ['a bare schema of zod/mini', mini.object({}), /wrap a schema of zod\/mini/],
  ['a record', z.record(z.string(), z.string()), /needs an object schema/],
  ['a union of objects', z.union([z.object({ a: z.string() }), z.object({})]), /needs an object/],
  ['a condition', { type: 'object', properties: {}, if: {} }, /keyword "if"/],
  ['a requirement without a field', { type: 'object', properties: {}, required: ['a'] }, /"a"/],
])('refuses %s as a form', (_, schema, why) => {
  expect(() => toFormSchema(schema)).toThrow(TypeError)
  expect(() => toFormSchema(schema)).toThrow(why)
})

test('the schemas of SEP-1034 and SEP-1330 are unchanged', () => {
  const schema = {
    type: 'object',
    properties: {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive'], default: 'active' },
      verified: { type: 'boolean', default: true },
      untitledSingle: { type: 'string', enum: ['a', 'b'] },
      titledSingle: { type: 'string', oneOf: [{ const: 'a', title: 'A' }] },
      legacyEnum: { type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'] },
      untitledMulti: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
      titledMulti: { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } },
    },
  }
  expect(toFormSchema(schema)).toEqual(schema)
})
