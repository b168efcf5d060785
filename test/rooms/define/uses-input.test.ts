import * as z from 'zod'
import { expect, test } from 'vitest'
import { toHandleId } from '../../../src/state/handle-id.ts'
import { defineHandle } from '../../../src/define/handle.ts'
import { readUses, toUsesSchema } from '../../../src/mcp/uses.ts'
import { optional } from '../../../src/define/handles.ts'
import { findSchemaProblems } from '../../../src/build/schema/schema-problems.ts'
import { createCheck } from '../../../src/schema/check.ts'
import { readParamHeaders } from '../../../src/build/schema/param-headers.ts'
import { toJsonSchema } from '../../../src/schema/to-json-schema.ts'
import type { JsonObject } from '../../../src/protocol/json.ts'

const shape = { idle: '1h', max: '1d', state: z.object({}), start: () => ({}), verbs: {} } as const
const basket = defineHandle({ name: 'basket', prefix: 'bsk', ...shape })
const coupon = defineHandle({ name: 'coupon', prefix: 'cpn', ...shape })
const profile = defineHandle({ name: 'profile', scope: 'caller', ...shape })

const uses = { basket, coupon: optional(coupon), profile }
const creatorOf = ({ name }: { readonly name: string }): string | null =>
  name === 'basket' ? 'create_basket' : null

const objectId = '0f'.repeat(32)
const basketId = toHandleId('bsk', objectId)
const couponId = toHandleId('cpn', objectId)

const gone =
  'There is no such basket: it has expired or was ended, or the id is not one of yours. ' +
  'Create a new one with create_basket and use the id that it returns.'

test('the ids stand before the tool’s own arguments, with their notes', () => {
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

test('a tool without arguments of its own takes the ids alone', () => {
  const printed = toUsesSchema(
    { type: 'object', additionalProperties: false },
    { coupon: optional(coupon) },
    creatorOf,
  )
  expect(printed['properties']).toHaveProperty('coupon')
  expect(printed).not.toHaveProperty('required')
})

test('a tool without handles keeps its schema as it is', () => {
  const schema = { type: 'object' }
  expect(toUsesSchema(schema, {}, creatorOf)).toBe(schema)
  expect(toUsesSchema(schema, { profile }, creatorOf)).toBe(schema)
})

test('an argument of the same name is refused', () => {
  const schema = { type: 'object', properties: { basket: { type: 'string' } } }
  expect(() => toUsesSchema(schema, uses, creatorOf)).toThrow('The input has "basket"')
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
    'whose definitions refer to it, and have the name that its copy would get',
    {
      ...closed,
      properties: { name: {}, next: { $ref: '#/$defs/input' } },
      $defs: { input: { anyOf: [{ type: 'null' }, { $ref: '#' }] } },
    },
    { ...given, next: { name: 'b', next: null } },
    { ...given, next: withId },
  ],
])('an input that holds itself asks for the ids at its root alone: %s', (_, schema, good, bad) => {
  const printed = toUsesSchema(schema, { basket }, creatorOf)
  expect(findSchemaProblems(printed, 'input')).toEqual([])
  const check = createCheck(printed)
  expect(check(good)).toEqual({ ok: true, value: good })
  expect(check(bad)).toHaveProperty('ok', false)
  expect(check({ name: 'a' })).toHaveProperty('ok', false)
})

test('an argument of an input that holds itself keeps its header', () => {
  const printed = toUsesSchema(toJsonSchema(node, 'input'), { basket }, creatorOf)
  const headers = [{ name: 'Name', path: ['name'] }]
  expect(readParamHeaders(printed)).toEqual({ headers, problems: [] })
})

test.each<[string, JsonObject]>([
  ['the number of names', { maxProperties: 1 }],
  ['the least number of names', { minProperties: 2 }],
  ['the form of names', { propertyNames: { pattern: '^[n-z]' } }],
  ['the list of names', { additionalProperties: false }],
  [
    'the list of names in a part',
    { allOf: [{ properties: { name: {} }, additionalProperties: false }] },
  ],
  ['the list of names in an alternative', { anyOf: [{ ...closed }, { maxProperties: 0 }] }],
  ['the list of names on a condition', { if: false, else: { ...closed } }],
  ['the list of names that nothing else looked at', { unevaluatedProperties: false }],
])('the ids do not count where the input limits %s', (_, limits) => {
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

test('a pattern for names that takes an id for one of its own is refused', () => {
  const schema = { type: 'object', patternProperties: { '^b': { type: 'number' } } }
  expect(() => toUsesSchema(schema, { basket }, creatorOf)).toThrow(
    'take "basket", which `uses` adds',
  )
})

test('the ids are taken out of the arguments', () => {
  expect(readUses({ basket: basketId, coupon: couponId, tip: 2 }, uses, creatorOf)).toEqual({
    ok: true,
    ids: new Map([
      ['basket', basketId],
      ['coupon', couponId],
    ]),
    input: { tip: 2 },
  })
})

test('an optional id may be absent or null', () => {
  for (const input of [{ basket: basketId }, { basket: basketId, coupon: null }]) {
    const read = readUses(input, uses, creatorOf)
    expect(read).toEqual({ ok: true, ids: new Map([['basket', basketId]]), input: {} })
  }
})

test.each([
  [
    'missing',
    {},
    [`"basket" is missing. The id of a basket, as create_basket returned it. ${basket.note}`],
  ],
  ['of another kind', { basket: couponId }, [gone]],
  ['malformed', { basket: 'bsk_' }, [gone]],
  ['not text', { basket: 7 }, [gone]],
  ['inside an array', { basket: [basketId] }, [gone]],
  [
    'optional and malformed',
    { basket: basketId, coupon: 'x' },
    [
      'There is no such coupon: it has expired or was ended, or the id is not one of yours. ' +
        'Create a new coupon and use its id.',
    ],
  ],
])('an id that is %s is a problem', (_, input, problems) => {
  expect(readUses(input, uses, creatorOf)).toEqual({ ok: false, problems })
})

test('an argument that nobody sent is not found on the prototype', () => {
  const read = readUses({}, { constructor: basket }, creatorOf)
  expect(read.ok ? [] : read.problems[0]).toContain('"constructor" is missing.')
})

test('two ids that are no good give one sentence', () => {
  const two = { from: basket, to: basket }
  expect(readUses({ from: 'nope', to: 7 }, two, creatorOf)).toEqual({ ok: false, problems: [gone] })
})
