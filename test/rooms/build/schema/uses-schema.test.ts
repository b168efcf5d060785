import * as z from 'zod'
import { expect, test } from 'vitest'
import { defineHandle } from '../../../../src/define/handle.ts'
import { optional } from '../../../../src/define/handles.ts'
import { findSchemaProblems } from '../../../../src/build/schema/schema-problems.ts'
import { createCheck } from '../../../../src/schema/check.ts'
import { readParamHeaders } from '../../../../src/build/schema/param-headers.ts'
import { toUsesSchema } from '../../../../src/build/schema/uses-schema.ts'
import '../../../../src/schema/json-schema/register.ts'
import { toJsonSchema } from '../../../../src/schema/to-json-schema.ts'
import type { JsonObject } from '../../../../src/protocol/json.ts'

const shape = { idle: '1h', max: '1d', state: z.object({}), start: () => ({}), verbs: {} } as const
const basket = defineHandle({ name: 'basket', prefix: 'bsk', ...shape })
const coupon = defineHandle({ name: 'coupon', prefix: 'cpn', ...shape })
const profile = defineHandle({ name: 'profile', scope: 'caller', ...shape })

const uses = { basket, coupon: optional(coupon), profile }
const creatorOf = ({ name }: { readonly name: string }): string | null =>
  name === 'basket' ? 'create_basket' : null

const basketId = 'bsk_Dw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8'

test('adds the ids before the tool’s own arguments, with their notes', () => {
  const schema = {
    type: 'object',
    properties: { tip: { type: 'number' } },
    required: ['tip'],
    additionalProperties: false,
  }
  const printed = toUsesSchema(schema, uses, creatorOf)
  expect(JSON.stringify(printed)).toBe(
    JSON.stringify({
      type: 'object',
      properties: {
        basket: {
          type: 'string',
          description: `The id of a basket, as create_basket returned it. ${basket.note}`,
        },
        coupon: { type: 'string', description: `The id of a coupon. ${coupon.note}` },
        tip: { type: 'number' },
      },
      required: ['basket', 'tip'],
      additionalProperties: false,
    }),
  )
})

test('a tool without arguments of its own has only the ids', () => {
  const printed = toUsesSchema(
    { type: 'object', additionalProperties: false },
    { coupon: optional(coupon) },
    creatorOf,
  )
  expect(printed['properties']).toHaveProperty('coupon')
  expect(printed).not.toHaveProperty('required')
})

test('the schema of a tool without handles is unchanged', () => {
  const schema = { type: 'object' }
  expect(toUsesSchema(schema, {}, creatorOf)).toBe(schema)
  expect(toUsesSchema(schema, { profile }, creatorOf)).toBe(schema)
})

test('refuses an argument of the same name', () => {
  const schema = { type: 'object', properties: { basket: { type: 'string' } } }
  expect(() => toUsesSchema(schema, uses, creatorOf)).toThrow(
    '`input` has "basket", and `uses` adds an argument of the same name',
  )
})

const node = z.object({
  name: z.string().meta({ 'x-mcp-header': 'Name' }),
  get children() {
    return z.array(node).optional()
  },
})
const open = { type: 'object', properties: { name: { type: 'string' }, next: { $ref: '#' } } }
const closed = { ...open, additionalProperties: false, required: ['name'] }
const given = { basket: basketId, name: 'a' }
const withId = { name: 'b', basket: basketId }

test.each<[string, JsonObject, unknown, unknown]>([
  [
    'printed by zod',
    toJsonSchema(node, 'input'),
    { ...given, children: [{ name: 'b', children: [{ name: 'c' }] }] },
    { ...given, children: [{ children: [] }] },
  ],
  ['that is closed', closed, { ...given, next: { name: 'b' } }, { ...given, next: withId }],
  [
    'in draft-07',
    { $schema: 'http://json-schema.org/draft-07/schema#', ...closed },
    { ...given, next: { name: 'b' } },
    { ...given, next: withId },
  ],
  [
    'that refers to itself by its id',
    {
      ...closed,
      $id: 'https://a.example/n',
      properties: { name: {}, next: { $ref: 'https://a.example/n' } },
    },
    { ...given, next: { name: 'b' } },
    { ...given, next: withId },
  ],
  [
    'whose definitions refer to it, and already have the name of its copy',
    {
      ...closed,
      properties: { name: {}, next: { $ref: '#/$defs/input' } },
      $defs: { input: { anyOf: [{ type: 'null' }, { $ref: '#' }] } },
    },
    { ...given, next: { name: 'b', next: null } },
    { ...given, next: withId },
  ],
])('a recursive input requires the ids only at its root: %s', (_, schema, good, bad) => {
  const printed = toUsesSchema(schema, { basket }, creatorOf)
  expect(findSchemaProblems(printed, 'input')).toEqual([])
  const check = createCheck(printed)
  expect(check(good)).toEqual({ ok: true, value: good })
  expect(check(bad)).toHaveProperty('ok', false)
  expect(check({ name: 'a' })).toHaveProperty('ok', false)
})

test('an argument of a recursive input keeps its header', () => {
  const printed = toUsesSchema(toJsonSchema(node, 'input'), { basket }, creatorOf)
  const headers = [{ name: 'Name', path: ['name'] }]
  expect(readParamHeaders(printed)).toEqual({ headers, problems: [] })
})

test.each<[string, JsonObject]>([
  ['the largest number of names', { maxProperties: 1 }],
  ['the smallest number of names', { minProperties: 2 }],
  ['the pattern of names', { propertyNames: { pattern: '^[n-z]' } }],
  ['the list of names', { additionalProperties: false }],
  [
    'the list of names in a part',
    { allOf: [{ properties: { name: {} }, additionalProperties: false }] },
  ],
  ['the list of names in an alternative', { anyOf: [{ ...closed }, { maxProperties: 0 }] }],
  ['the list of names on a condition', { if: false, else: { ...closed } }],
  ['the list of unevaluated names', { unevaluatedProperties: false }],
])('the ids are allowed where the input limits %s', (_, limits) => {
  const schema = { ...open, ...limits }
  const check = createCheck(toUsesSchema(schema, { basket }, creatorOf))
  const own = createCheck(schema)
  for (const input of [{}, { name: 'a' }, { name: 'a', zip: 1 }, { apt: 1 }, { name: 'a', a: 1 }]) {
    expect(check({ ...input, basket: basketId })).toHaveProperty(
      'ok',
      Reflect.get(own(input), 'ok'),
    )
  }
})

test('refuses a pattern for names that matches the name of an id', () => {
  const schema = { type: 'object', patternProperties: { '^b': { type: 'number' } } }
  expect(() => toUsesSchema(schema, { basket }, creatorOf)).toThrow(
    'matches "basket", which `uses` adds',
  )
})
