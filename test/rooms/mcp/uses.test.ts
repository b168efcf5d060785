import * as z from 'zod'
import { expect, test } from 'vitest'
import { defineHandle } from '../../../src/define/handle.ts'
import { optional } from '../../../src/define/handles.ts'
import { readUses } from '../../../src/mcp/uses.ts'
import { toHandleId } from '../../../src/state/handle-id.ts'

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

test('separates the ids from the arguments of the tool', () => {
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

test('an inherited member does not count as an argument', () => {
  const read = readUses({}, { constructor: basket }, creatorOf)
  expect(read.ok ? [] : read.problems[0]).toContain('"constructor" is missing.')
})

test('two unusable ids of one kind return one sentence', () => {
  const two = { from: basket, to: basket }
  expect(readUses({ from: 'nope', to: 7 }, two, creatorOf)).toEqual({ ok: false, problems: [gone] })
})
