import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import * as mini from 'zod/mini'
import { createCheck } from '../../../src/schema/check.ts'
import { boundPatterns } from '../../../src/schema/zod-patterns.ts'

const costly = (): RegExp => /^.+@.+\..+$/
const long = '@.'.repeat(80_000)
const tooLong = {
  ok: false,
  problems: [
    'A text of more than 500 characters cannot be matched against /^.+@.+\\..+$/. Shorten it.',
  ],
}

const text = z.string().regex(costly())
type Tree = { a?: unknown; b?: Tree | undefined }
const tree: z.ZodType<Tree> = z.lazy(() => z.object({ a: text.optional(), b: tree.optional() }))

describe('a long text for a pattern that may read it repeatedly', () => {
  // without the bound each takes seconds
  it.each<[string, z.core.$ZodType, unknown]>([
    ['of a field', z.object({ a: text }), { a: long }],
    [
      'of a field with a maximum',
      z.object({ a: z.string().max(100).regex(costly()) }),
      { a: long },
    ],
    ['of an item', z.array(text), ['a@b.c', long]],
    ['of a tuple', z.tuple([z.number(), text]), [1, long]],
    ['of the rest of a tuple', z.tuple([z.number()], text), [1, long]],
    ['of a name', z.record(text, z.number()), { [long]: 1 }],
    ['of a value of a record', z.record(z.string(), text), { a: long }],
    [
      'of a form in a form',
      z.union([z.number(), z.object({ a: z.union([text, z.null()]) })]),
      { a: long },
    ],
    [
      'of a tagged form',
      z.discriminatedUnion('t', [z.object({ t: z.literal(1), a: text })]),
      { t: 1, a: long },
    ],
    [
      'of both of two',
      z.intersection(z.object({ a: text }), z.object({ b: z.number() })),
      { a: long, b: 1 },
    ],
    ['of a recursive schema', tree, { b: { b: { a: long } } }],
    [
      'of a getter',
      z.object({
        get a() {
          return text
        },
      }),
      { a: long },
    ],
    ['with a default', z.object({ a: text.default('a@b.c').nullable().readonly() }), { a: long }],
    ['before a transform', text.transform((value) => value.length), long],
    [
      'after a transform',
      z
        .string()
        .transform((value) => value.trim())
        .pipe(text),
      long,
    ],
    ['with a refinement that waits', text.refine(async () => true), long],
    ['of zod/mini', mini.object({ a: mini.string().check(mini.regex(costly())) }), { a: long }],
    ['with flags', z.object({ a: text, b: z.string().regex(/^.+x.+$/gi) }), { a: long, b: 'x' }],
  ])('is refused before it is matched: %s', async (_, schema, value) => {
    const check = createCheck(schema)
    expect(await check(value)).toEqual(tooLong)
  })

  it.each<[string, z.core.$ZodType, RegExp]>([
    [
      'a template',
      z.templateLiteral([z.string(), '@', z.string(), '.', z.string()]),
      /^A text of more/,
    ],
    ['a format of the author', z.stringFormat('sku', costly()), /must be text in the format "sku"/],
    ['an email address', z.email(), /must be an email address, but is a text of 160000 characters/],
    ['an email address with another pattern', z.email({ pattern: costly() }), /an email address/],
    ['a host', z.url({ hostname: /^.+x.+y$/ }), /must be a URL/],
    ['an anchor of each line', z.string().regex(/^\w+$/m), /^A text of more than 500/],
  ])('is refused with a sentence: %s', async (kind, schema, sentence) => {
    const value = kind === 'a host' ? `https://${'x'.repeat(501)}/` : long
    expect(await createCheck(schema)(value)).toMatchObject({
      ok: false,
      problems: [expect.stringMatching(sentence)],
    })
  })

  it('is accepted by patterns that read it once, and by formats that match none', async () => {
    const schema = z.object({
      a: z.string().regex(/^[a-z]+$/),
      b: z.base64(),
      c: z.string().endsWith('.pdf'),
      d: z.string().includes('x').startsWith('x'),
      e: z.hex(),
      f: z.string().regex(/^(?:[0-9a-f]{2})*$/),
      g: z.emoji(),
      h: z.base64url(),
    })
    const x = 'x'.repeat(9_999)
    const value = {
      a: x,
      b: 'QUJD'.repeat(9_999),
      c: `${x}.pdf`,
      d: x,
      e: 'ff'.repeat(9_999),
      f: 'ff'.repeat(9_999),
      g: '😀'.repeat(9_999),
      h: 'QUJD'.repeat(9_999),
    }
    expect(await createCheck(schema)(value)).toEqual({ ok: true, value })
  })
})

it('bounds all matches of one check together', async () => {
  const check = createCheck(z.array(text))
  const many = Array.from({ length: 500 }, () => '@.'.repeat(250))
  expect(await check(many)).toEqual({
    ok: false,
    problems: ['The value is too large or too deeply nested to check. Send less at once.'],
  })
  const ordinary = Array.from({ length: 2_000 }, (_, index) => `customer.${index}@shop.example`)
  expect(await check(ordinary)).toEqual({ ok: true, value: ordinary })
})

it('stays true of a schema that two tools share, and of what its author does with it', async () => {
  const schema = z.object({ a: z.string().regex(costly()) })
  expect([boundPatterns(schema), boundPatterns(schema)]).toEqual([true, true])
  expect(schema.safeParse({ a: 'a@b.c' }).success).toBe(true)
  expect(schema.safeParse({ a: 'ab.c' }).success).toBe(false)
  expect(schema.safeParse({ a: long }).success).toBe(false)
  expect(z.toJSONSchema(schema)).toHaveProperty('properties.a.pattern', '^.+@.+\\..+$')
  expect(createCheck(schema)({ a: 'b' })).toEqual({
    ok: false,
    problems: ['"a" must be text that matches /^.+@.+\\..+$/, but is "b".'],
  })
})

it('leaves schemas without such patterns as they are', () => {
  expect(boundPatterns(z.object({ a: z.string().max(3), b: z.uuid(), c: z.url() }))).toBe(false)
})
