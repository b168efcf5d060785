import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { createCheck } from '../../../src/schema/check.ts'

const enumOf = (count: number): string[] => many(count, (index) => `value ${index}`)

describe('the sentences about a value', () => {
  it('go two levels into what could have been meant', () => {
    const either = (...names: string[]): ((inner: z.ZodType) => z.ZodType) => {
      return (inner) => z.union(names.map((name) => z.object({ [name]: inner })))
    }
    const schema = either('a', 'b')(either('c', 'd')(either('e', 'f')(z.string())))
    const second = { c: {}, d: {} }
    expect(createCheck(schema)({ a: second, b: second })).toEqual({
      ok: false,
      problems: [
        'The value fits none of the allowed forms: ' +
          'either "a" fits none of the allowed forms: ' +
          'either "a.c" fits none of the allowed forms, or "a.d" fits none of the allowed forms, ' +
          'or "b" fits none of the allowed forms: ' +
          'either "b.c" fits none of the allowed forms, or "b.d" fits none of the allowed forms.',
      ],
    })
  })

  it('explain the one form that a deep value meant', () => {
    const tree: z.ZodType = z.lazy(() =>
      z.union([
        z.object({ op: z.literal('not'), of: tree }),
        z.object({ op: z.literal('and'), left: tree, right: tree }),
        z.number(),
      ]),
    )
    let value: unknown = { op: 'and', left: 1, right: 'two' }
    for (let level = 0; level < 12; level++) value = { op: 'not', of: value }
    expect(createCheck(tree)(value)).toMatchObject({
      problems: [
        expect.stringMatching(/^"(of\.){12}right" must be an object or a number, but is a/),
      ],
    })
  })

  it('cut the message of a validator that repeats a long text', () => {
    const message = `must not be ${'x'.repeat(1_000)}`
    const check = createCheck(z.object({ a: z.string().refine(() => false, message) }))
    expect(check({ a: 'x'.repeat(1_000) })).toEqual({
      ok: false,
      problems: [`"a" ${message.slice(0, 200)}…`],
    })
  })

  it("leave an author's own long message as it is", () => {
    const message = `must be one of ${enumOf(50).join(', ')}`
    const check = createCheck(z.object({ a: z.string().refine(() => false, message) }))
    expect(check({ a: 'x' })).toEqual({ ok: false, problems: [`"a" ${message}.`] })
  })

  it('repeat at most 120 characters of a path, and no half of a character', () => {
    const check = createCheck(z.record(z.string(), z.record(z.string(), z.null())))
    const name = '😀'.repeat(40)
    const deep = { [`a${name}`]: { [name]: 1 } }
    expect(check(deep)).toEqual({
      ok: false,
      problems: [
        expect.stringMatching(/^"a(?:😀)+…\['(?:😀)+…" must be null, but is a number\.$/u),
      ],
    })
  })

  it('count what they do not list, however long the listed ones are', () => {
    const long = z.enum(many(10, (index) => `${index}`.repeat(55)))
    const check = createCheck(z.array(long))
    const checked = check(many(30, (index) => index))
    expect(checked).toMatchObject({
      problems: { length: 7, 6: '24 more problems are not listed.' },
    })
  })
})

function many<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}
