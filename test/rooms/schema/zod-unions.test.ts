import { expect, test } from 'vitest'
// alone: `zod` would make the schemas of `zod/mini` remember what they have checked
import * as z from 'zod/mini'
import { createCheck } from '../../../src/schema/check.ts'

const either: z.ZodMiniType = z.lazy(() =>
  z.union([
    z.object({ next: z.optional(either), a: z.string() }),
    z.object({ next: z.optional(either), b: z.string() }),
  ]),
)
const both: z.ZodMiniType = z.lazy(() =>
  z.intersection(
    z.looseObject({ next: z.optional(both) }),
    z.looseObject({ next: z.optional(both) }),
  ),
)
const pairs: z.ZodMiniType = z.lazy(() =>
  z.union([z.array(pairs), z.tuple([pairs, pairs]), z.string()]),
)
const later = z.object({
  tree: either,
  name: z.string().check(z.refine(async () => true)),
})

const refused = {
  ok: false,
  problems: ['The value is too large or too deeply nested to check. Send less at once.'],
}

test.each([
  ['a union', either, chain(20)],
  ['a union whose last form fits', either, chain(20, { b: '' })],
  ['an intersection', both, chain(18)],
  ['lists in forms of lists', pairs, tree(9)],
  ['a union beside an asynchronous check', later, { tree: chain(18), name: '' }],
])('a check that doubles with each level ends soon: %s', async (_, schema, value) => {
  expect(await createCheck(schema)(value)).toEqual(refused)
})

test.each([
  ['ten levels', either, chain(10, { b: '' })],
  [
    'a thousand short lists',
    z.array(either),
    Array.from({ length: 1_000 }, () => chain(3, { b: '' })),
  ],
])('a value of usual size is checked: %s', async (_, schema, value) => {
  expect(await createCheck(schema)(value)).toMatchObject({ ok: true })
})

test('a check that was refused does not change the next one', async () => {
  const check = createCheck(either)
  expect(await check(chain(20))).toEqual(refused)
  expect(await check({ a: '' })).toEqual({ ok: true, value: { a: '' } })
})

test('a schema that several others share is bounded once', async () => {
  const shared = z.object({ tree: either })
  for (let time = 0; time < 50; time += 1) {
    // oxlint-disable-next-line no-await-in-loop
    expect(await createCheck(z.array(shared))([{ tree: chain(8, { b: '' }) }])).toMatchObject({
      ok: true,
    })
  }
})

function chain(levels: number, end: object = {}): object {
  let value: object = end
  for (let level = 0; level < levels; level += 1) value = { ...end, next: value }
  return value
}

function tree(levels: number): unknown {
  return levels === 0 ? 1 : [tree(levels - 1), tree(levels - 1)]
}
