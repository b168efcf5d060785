import { describe, expect, it } from 'vitest'
import * as zod from 'zod'
import * as z from 'zod/mini'
import { createCheck } from '../../../src/schema/check.ts'

// zod/mini has no messages of its own, so every sentence here comes from an issue's details
const color = z.enum(['red', 'green'])
const shape = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('circle'), radius: z.number() }),
  z.object({ kind: z.literal('square'), side: z.number() }),
])
const target = z.union([z.object({ user: z.string() }), z.object({ team: z.string() })])

const table: readonly [
  behaviour: string,
  field: z.ZodMiniType,
  value: unknown,
  sentence: string,
][] = [
  ['a wrong type', z.number(), 'five', '"f" must be a number, but is a string.'],
  ['a missing field', z.string(), undefined, '"f" is missing and must be a string.'],
  ['a fraction', z.int(), 1.5, '"f" must be an integer, but is 1.5.'],
  ['null', z.string(), null, '"f" must be a string, but is null.'],
  ['an enum', color, 'blue', '"f" must be "red" or "green", but is "blue".'],
  ['a literal', z.literal(7), 8, '"f" must be 7, but is 8.'],
  ['a minimum', z.number().check(z.minimum(3)), 1, '"f" must be at least 3, but is 1.'],
  ['an open minimum', z.number().check(z.gt(3)), 3, '"f" must be more than 3, but is 3.'],
  ['a maximum', z.number().check(z.maximum(3)), 4, '"f" must be at most 3, but is 4.'],
  ['a multiple', z.number().check(z.multipleOf(5)), 3, '"f" must be a multiple of 5, but is 3.'],
  [
    'an exact length',
    z.string().check(z.length(3)),
    'euros',
    '"f" must have exactly 3 characters, but has 5.',
  ],
  [
    'a list that is too short',
    z.array(z.string()).check(z.minLength(1)),
    [],
    '"f" must have at least 1 item, but has 0.',
  ],
  ['an email address', z.email(), 'me', '"f" must be an email address, but is "me".'],
  ['a date', z.iso.date(), 'today', '"f" must be a date such as "2026-11-30", but is "today".'],
  [
    'a pattern',
    z.string().check(z.regex(/^[a-z]+$/)),
    'A',
    '"f" must be text that matches /^[a-z]+$/, but is "A".',
  ],
  [
    'a prefix',
    z.string().check(z.startsWith('sku-')),
    'A',
    '"f" must be text that starts with "sku-", but is "A".',
  ],
  ['a bare refinement', z.string().check(z.refine(() => false)), 'A', '"f" is not valid.'],
  [
    'a refinement with a predicate',
    z.string().check(z.refine(() => false, 'must be in stock')),
    'A',
    '"f" must be in stock.',
  ],
  [
    'a refinement with a sentence',
    z.string().check(z.refine(() => false, 'Nothing is left!')),
    'A',
    '"f": Nothing is left!',
  ],
  [
    "an author's message on a stock check",
    z.string().check(z.regex(/^a$/, 'must be a SKU')),
    'b',
    '"f" must be a SKU.',
  ],
  [
    'a union of types',
    z.union([z.string(), z.number()]),
    true,
    '"f" must be a string or a number, but is a boolean.',
  ],
  [
    'an unknown tag',
    shape,
    { kind: 'cone' },
    '"f.kind" must be "circle" or "square", but is "cone".',
  ],
  ['a known tag', shape, { kind: 'square' }, '"f.side" is missing and must be a number.'],
  [
    'forms without a tag',
    target,
    {},
    '"f" fits none of the allowed forms: either "f.user" is missing and must be a string, ' +
      'or "f.team" is missing and must be a string.',
  ],
  ['an unknown field', z.strictObject({}), { x: 1 }, '"f.x" is not allowed here.'],
  [
    'a name in a record',
    z.record(z.string().check(z.maxLength(1)), z.number()),
    { long: 1 },
    '"f.long" is not an allowed name.',
  ],
  [
    'an item deep inside',
    z.array(z.object({ price: z.number() })),
    [{ price: 1 }, { price: '2' }],
    '"f[1].price" must be a number, but is a string.',
  ],
  [
    'an odd name',
    z.record(z.string(), z.number()),
    { "it's\u0007 odd": '' },
    `"f['it\\'s\\u0007 odd']" must be a number, but is a string.`,
  ],
]

describe('the sentences of a failed zod/mini check', () => {
  it.each(table)('describe %s in one sentence', async (_, field, value, sentence) => {
    const check = createCheck(z.object({ f: field }))
    const input = value === undefined ? {} : { f: value }
    expect(await check(input)).toEqual({ ok: false, problems: [sentence] })
  })

  it('name the whole value if no field is wrong', () => {
    const check = createCheck(z.object({}))
    expect(check([])).toEqual({
      ok: false,
      problems: ['The value must be an object, but is an array.'],
    })
  })
})

const order = zod.strictObject({
  sku: zod.string(),
  email: zod.email(),
  size: zod.enum(['S', 'M']),
  notes: zod.string().max(3),
})

it('zod’s stock English, which names no field, is replaced', () => {
  const check = createCheck(order)
  expect(check({ email: 'me', size: 'XL', notes: 'long', x: 1 })).toEqual({
    ok: false,
    problems: [
      '"sku" is missing and must be a string.',
      '"email" must be an email address, but is "me".',
      '"size" must be "S" or "M", but is "XL".',
      '"notes" must have at most 3 characters, but has 4.',
      '"x" is not allowed here.',
    ],
  })
})

it('the sentences of a locale that the author chose are kept', () => {
  zod.config(zod.locales.de())
  try {
    const result = createCheck(zod.object({ sku: zod.string() }))({})
    expect(result).toEqual({
      ok: false,
      problems: ['"sku": Ungültige Eingabe: erwartet string, erhalten undefined.'],
    })
  } finally {
    zod.config(zod.locales.en())
  }
})

it('explains the form of a union whose tag fits', () => {
  const check = createCheck(
    z.union([
      z.object({ kind: z.literal('a'), x: z.number() }),
      z.object({ kind: z.literal('b'), y: z.string() }),
    ]),
  )
  const problems = ['"x" must be a number, but is a string.']
  expect(check({ kind: 'a', x: 'no' })).toEqual({ ok: false, problems })
})
