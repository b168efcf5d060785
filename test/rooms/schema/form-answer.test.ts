import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import * as mini from 'zod/mini'
import { readFormAnswer } from '../../../src/schema/form-answer.ts'
import { createJsonSchemaCheck } from '../../../src/schema/json-schema/check.ts'
import type { JsonSchema, Schema } from '../../../src/schema/standard-schema.ts'

const ofField = (field: unknown): JsonSchema => ({
  type: 'object',
  properties: { field },
  required: ['field'],
})
const isAccepted = async (schema: JsonSchema, content: unknown): Promise<boolean> =>
  (await readFormAnswer(schema, content)).ok

const choice = { type: 'string', enum: ['a', 'b'] }
const titled = { oneOf: [{ const: 'a', title: 'A' }] }
const choices = { type: 'array', items: { enum: ['a', 'b', 'c'] }, minItems: 1, maxItems: 2 }

describe('a field of plain JSON Schema is checked as by the checker of JSON Schema', () => {
  test.each<[object, unknown[], unknown[]]>([
    [{ type: 'string' }, ['', 'a'], [1, null, true, [], {}]],
    [{ type: 'string', minLength: 2, maxLength: 3 }, ['ab', '🫖🫖🫖'], ['a', '🫖', 'abcd']],
    [{ type: 'boolean' }, [true, false], ['true', 0, null]],
    [{ type: 'number', minimum: 0, maximum: 1 }, [0, 0.5, 1], [-0.1, 1.1, '1', null]],
    [{ type: 'integer', minimum: 1, maximum: 9 }, [1, 9, 2.0], [0, 10, 1.5, '1']],
    [{ type: 'integer', exclusiveMinimum: 1, exclusiveMaximum: 4 }, [2, 3], [1, 4]],
    [choice, ['a', 'b'], ['c', '', 1, ['a']]],
    [titled, ['a'], ['A', 'b', null]],
    [{ const: 'a' }, ['a'], ['b']],
    [choices, [['a'], ['a', 'c'], ['a', 'a']], [[], ['a', 'b', 'c'], ['d'], 'a', [1], null]],
    [{ ...choices, uniqueItems: true }, [['a', 'b']], [['a', 'a']]],
    [{ type: 'array', items: titled }, [[], ['a']], [['b'], ['A']]],
    [{ type: 'string', format: 'email', pattern: '@shop\\.' }, ['a@shop.com'], ['a@b.com', 'x']],
    [
      { type: 'string', format: 'email' },
      ['a@b.c', 'a.b+c@x-y.example', 'a@localhost'],
      ['', 'a', '@b', 'a@', 'a@b@c', '.a@b.c', 'a..b@c', 'a b@c.d', 'a@-b.c', 'a@b..c'],
    ],
    [
      { type: 'string', format: 'uri' },
      ['https://a.example/b?c=d#e', 'urn:isbn:1', 'mailto:a@b.c', 'http://[::1]:80/%20'],
      ['', 'a', '/a', 'a.example', 'http://a b', 'http://a/%2', 'http://ü.example', 'http://['],
    ],
    [
      { type: 'string', format: 'date' },
      ['2026-11-30', '2024-02-29', '0001-01-01'],
      ['', '2026-02-29', '2026-13-01', '2026-00-10', '2026-11-31', '2026-1-1', '2026-11-30T'],
    ],
    [
      { type: 'string', format: 'date-time' },
      ['2026-11-30T14:30:00Z', '2026-11-30t14:30:00.5+02:00', '2026-11-30 23:59:59z'],
      [
        '',
        '2026-11-30',
        '2026-11-30T14:30Z',
        '2026-11-30T14:30:00',
        '2026-02-30T14:30:00Z',
        '2026-11-30T24:00:00Z',
        '2026-11-30T14:60:00Z',
        '2026-11-30T14:30:00+2:00',
      ],
    ],
  ])('%j', async (field, fitting, others) => {
    const schema = ofField(field)
    const contents = [...fitting, ...others].map((value) => ({ field: value }))
    const accepted = await Promise.all(contents.map((content) => isAccepted(schema, content)))
    expect(contents.filter((_, index) => accepted[index])).toEqual(
      fitting.map((value) => ({ field: value })),
    )
    const check = createJsonSchemaCheck(schema)
    expect(contents.map((content) => check(content).ok)).toEqual(accepted)
  })

  test.each<[string, JsonSchema, unknown, boolean]>([
    ['a missing field', { ...ofField({}), required: ['field'] }, {}, false],
    ['an optional field', {}, {}, true],
    ['an inherited name', { required: ['constructor'] }, {}, false],
    ['an unknown field', {}, { more: 1 }, true],
    ['an unknown field of an open form', { additionalProperties: {} }, { more: 1 }, true],
    ['an unknown field of a closed form', { additionalProperties: false }, { more: 1 }, false],
    ['a list', {}, [], false],
    ['text', {}, 'field', false],
    ['null', {}, null, false],
  ])('%s', async (_, schema, content, expected) => {
    const properties = { field: { type: 'string' }, constructor: { type: 'string' } }
    const whole = { ...schema, type: 'object', properties }
    expect(await isAccepted(whole, content)).toBe(expected)
    expect(createJsonSchemaCheck(whole)(content).ok).toBe(expected)
  })
})

test('returns the content of a plain form unchanged', async () => {
  const content = { field: 'a', more: 1 }
  expect(await readFormAnswer(ofField({ type: 'string' }), content)).toEqual({
    ok: true,
    value: content,
  })
})

test('does not match a long text against a pattern', async () => {
  const schema = ofField({ type: 'string', format: 'uri', pattern: '^a' })
  expect(await isAccepted(schema, { field: `a:${'b'.repeat(498)}` })).toBe(true)
  expect(await isAccepted(schema, { field: `a:${'b'.repeat(499)}` })).toBe(false)
})

test('ends quickly for hostile texts', async () => {
  for (const format of ['email', 'uri', 'date', 'date-time']) {
    const field = `${'a.:/'.repeat(100_000)} `
    // oxlint-disable-next-line no-await-in-loop
    expect(await isAccepted(ofField({ type: 'string', format }), { field })).toBe(false)
  }
})

test('a Standard Schema checks the content itself', async () => {
  const schema = z.object({ day: z.iso.date().transform((text) => new Date(text)) })
  const day = '2026-11-30'
  expect(await readFormAnswer(schema, { day })).toEqual({ ok: true, value: { day: new Date(day) } })
  expect(await readFormAnswer(schema, { day: 'today' })).toMatchObject({ ok: false })
})

test('a schema of zod/mini that is wrapped to print itself checks the content itself', async () => {
  const schema = mini.toJSONSchema(mini.object({ mail: mini.email() }))
  expect(await readFormAnswer(schema, { mail: 'a@b.example' })).toMatchObject({ ok: true })
  expect(await readFormAnswer(schema, { mail: 'a@b' })).toMatchObject({ ok: false })
})

describe('an optional field that was left blank', () => {
  const email = z.object({ name: z.string(), mail: z.email().optional() })
  const plain = (field: object, required: readonly string[] = []): JsonSchema => ({
    type: 'object',
    properties: { field, note: { type: 'string' } },
    required,
  })

  test.each<[string, Schema, object, object]>([
    ['format', email, { name: 'Ann', mail: '' }, { name: 'Ann' }],
    ['format, with a blank that is legal', email, { name: '', mail: '' }, { name: '' }],
    ['minimum length', z.object({ a: z.string().min(1).optional() }), { a: '' }, {}],
    ['choice', z.object({ a: z.enum(['x', 'y']).optional() }), { a: '' }, {}],
    ['choice of titles', plain(titled), { field: '' }, {}],
    ['number', z.object({ a: z.number().optional() }), { a: '' }, {}],
    ['number that is made of a text', z.object({ a: z.coerce.number().optional() }), { a: '' }, {}],
    ['boolean', z.object({ a: z.boolean().optional() }), { a: '' }, {}],
    ['list', z.object({ a: z.array(z.enum(['x'])).optional() }), { a: '' }, {}],
    [
      'list of one or more',
      z.object({
        a: z
          .array(z.enum(['x']))
          .min(1)
          .optional(),
      }),
      { a: [] },
      {},
    ],
    [
      'list that may be empty',
      z.object({ a: z.array(z.enum(['x'])).optional() }),
      { a: [] },
      { a: [] },
    ],
    [
      'list of a plain schema',
      plain({ type: 'array', minItems: 2, items: { type: 'string', enum: ['x', 'y'] } }),
      { field: [] },
      {},
    ],
    [
      'date with a default',
      z.object({ a: z.iso.date().default('2026-01-01') }),
      { a: '' },
      { a: '2026-01-01' },
    ],
    [
      'rule that the form does not show',
      z.object({
        a: z
          .string()
          .refine((text) => text !== '')
          .optional(),
      }),
      { a: '' },
      {},
    ],
    ['format of a plain schema', plain({ type: 'string', format: 'uri' }), { field: '' }, {}],
    [
      'pattern of a plain schema',
      plain({ type: 'string', format: 'uri', pattern: '^x' }),
      { field: '', note: '' },
      { note: '' },
    ],
    ['nothing that refuses it', z.object({ a: z.string().optional() }), { a: '' }, { a: '' }],
    ['a choice of nothing', z.object({ a: z.enum(['', 'x']).optional() }), { a: '' }, { a: '' }],
  ])('counts as absent for a %s', async (_, schema, content, value) => {
    expect(await readFormAnswer(schema, content)).toEqual({ ok: true, value })
  })

  test.each<[Schema, object]>([
    [z.object({ a: z.email() }), { a: '' }],
    [z.object({ a: z.email().optional() }), { a: ' ' }],
    [z.object({ a: z.email().optional() }), { a: null }],
    [z.object({ a: z.email().optional(), b: z.email() }), { a: '', b: '' }],
    [plain({ type: 'string', format: 'email' }, ['field']), { field: '' }],
  ])('is another answer where the field is required, or not blank', async (schema, content) => {
    expect(await readFormAnswer(schema, content)).toMatchObject({ ok: false })
  })
})

describe('an answer that is refused says why', () => {
  const properties = {
    text: { type: 'string', minLength: 2, maxLength: 3 },
    mail: { type: 'string', format: 'email' },
    code: { type: 'string', format: 'uri', pattern: '^x' },
    size: { type: 'string', enum: ['s', 'm'] },
    count: { type: 'integer', minimum: 1, maximum: 5 },
    agreed: { type: 'boolean' },
    several: choices,
    some: choices,
  }
  const whole = {
    type: 'object',
    properties,
    required: ['mail', 'some'],
    additionalProperties: false,
  }

  test.each([
    [{}, '"mail" is missing'],
    [{ mail: '' }, '"mail" must be an email address'],
    [{ mail: 'x' }, '"mail" must be an email address'],
    [{ mail: 'a@b.c', text: 'x' }, '"text" must have at least 2 characters'],
    [{ mail: 'a@b.c', text: 'long' }, '"text" must have at most 3 characters'],
    [{ mail: 'a@b.c', code: 'y:1' }, 'must match ^x'],
    [{ mail: 'a@b.c', size: 'l' }, '"size" must be "s" or "m"'],
    [{ mail: 'a@b.c', count: 6 }, '"count" must be at most 5'],
    [{ mail: 'a@b.c', count: '1' }, '"count" must be an integer'],
    [{ mail: 'a@b.c', agreed: 'yes' }, '"agreed" must be a boolean'],
    [{ mail: 'a@b.c', some: [] }, '"some" must have at least 1 item'],
    [{ mail: 'a@b.c', several: ['d'] }, '"several" must be "a", "b" or "c"'],
    [{ mail: 'a@b.c', more: 1 }, '"more" is not allowed here'],
    [[], 'must be an object'],
  ])('%j: %s', async (content, why) => {
    expect(await readFormAnswer(whole, content)).toEqual({
      ok: false,
      why: expect.stringContaining(why),
    })
  })

  test('in few words, whatever the answer', async () => {
    const long = 'x'.repeat(100_000)
    const content = { mail: long, text: long, code: long, size: long, [long]: long, count: long }
    const schemas: Schema[] = [
      whole,
      z.strictObject({ mail: z.email(), size: z.enum(['s']), text: z.string().max(3) }),
      z.object({ mail: z.string().refine(() => false, `not ${long}`) }),
    ]
    for (const schema of schemas) {
      // oxlint-disable-next-line no-await-in-loop
      const read = await readFormAnswer(schema, content)
      expect(read.ok ? '' : read.why).toMatch(/^.{10,301}$/s)
    }
  })
})
