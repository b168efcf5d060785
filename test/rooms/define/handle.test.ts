import * as z from 'zod'
import { expect, test } from 'vitest'
import { findCreator } from '../../../src/define/handle-kind.ts'
import { readHandleId, toHandleId } from '../../../src/state/handle-id.ts'
import { defineHandle, toNote } from '../../../src/define/handle.ts'
import { checkHandleDefinition } from '../../../src/define/handle-problems.ts'

const good = {
  name: 'basket',
  prefix: 'bsk',
  idle: '24h',
  state: z.object({}),
  start: () => ({}),
  verbs: { add: () => null },
} as const

const basket = defineHandle(good)

test.each([
  [
    '24h',
    '30d',
    'Expires after 24 hours without use, and 30 days after its creation at the latest.',
  ],
  ['1h', '1d', 'Expires after 1 hour without use, and 1 day after its creation at the latest.'],
  [
    '90s',
    '5m',
    'Expires after 90 seconds without use, and 5 minutes after its creation at the latest.',
  ],
  [
    '1.5h',
    '250ms',
    'Expires after 1.5 hours without use, and 250 milliseconds after its creation at the latest.',
  ],
] as const)('a lifetime of %s and %s in words', (idle, max, note) => {
  expect(toNote(idle, max)).toBe(note)
})

test('the note of a kind without a max has the default', () => {
  expect(basket.note).toBe(toNote('24h', '30d'))
})

test.each([
  [{ name: '' }, '`name` must begin'],
  [{ name: 'a basket' }, '`name` must begin'],
  [{ name: 'a'.repeat(33) }, '`name` must begin'],
  [{ prefix: 'b' }, '`prefix` must be'],
  [{ prefix: 'b_k' }, '`prefix` must be'],
  [{ prefix: 'BSK' }, '`prefix` must be'],
  [{ name: undefined }, '`name` must begin'],
  [{ name: 7 }, '`name` must begin'],
  [{ prefix: undefined }, '`prefix` must be'],
  [{ idle: undefined }, '`idle` is missing. Write a duration such as "24h"'],
  [{ idle: 24 }, '`idle` is 24. Write a duration such as "30s", "5m" or "24h"'],
  [{ idle: 'a day' }, '`idle` is "a day". Write a duration'],
  [{ max: 'a day' }, '`max` is "a day". Write a duration'],
  [{ max: null }, '`max` is null. Write a duration'],
  [{ state: undefined }, '`state` must be a schema'],
  [{ start: undefined }, '`start` must be a function'],
  [{ verbs: undefined }, '`verbs` must be an object of functions'],
  [{ verbs: { add: 7 } }, 'the verb "add" must be a function'],
  [{ tables: 'x', sql: 7 }, '`sql` must be an object of functions'],
  [{ perCaller: '3' }, '`perCaller` must be'],
  [{ idle: '0s' }, '`idle` must be greater than zero'],
  [{ max: '23h' }, '`max` must not be shorter'],
  [{ perCaller: 0 }, '`perCaller` must be'],
  [{ perCaller: 1.5 }, '`perCaller` must be'],
  [{ tables: 'CREATE TABLE a (b)' }, '`tables` and `sql` must be set together'],
  [{ sql: {} }, '`tables` and `sql` must be set together'],
  // oxlint-disable-next-line unicorn/no-thenable -- this is why
  [{ verbs: { then: () => null } }, '"then" cannot be the name of a verb'],
  [{ verbs: { end: () => null } }, '"end" cannot be the name of a verb'],
  [{ verbs: { constructor: () => null } }, '"constructor" cannot be the name of a verb'],
  [{ verbs: { ['__proto__']: () => null } }, '"__proto__" cannot be the name of a verb'],
  [{ verbs: { 'a-b': () => null } }, '"a-b" cannot be the name of a verb'],
  [{ tables: 'x', sql: { add: () => null } }, 'both have a verb "add"'],
  [{ verbs: { add: async () => null } }, 'the verb "add" must not be async'],
  [{ tables: 'x', sql: { put: async () => null } }, 'the verb "put" must not be async'],
  [{ start: async () => ({}) }, '`start` must not be async'],
] as const)('a definition with %j is refused: %s', (wrong, reason) => {
  expect(() => checkHandleDefinition({ ...good, ...wrong })).toThrow(reason)
})

test('`max` may be as long as `idle`', () => {
  expect(() => checkHandleDefinition({ ...good, max: '24h' })).not.toThrow()
})

test('a kind with one handle for each caller needs no prefix', () => {
  const { prefix: _, ...rest } = good
  expect(() => checkHandleDefinition({ ...rest, scope: 'caller' })).not.toThrow()
  expect(() => checkHandleDefinition(rest)).toThrow('`prefix` must be')
})

test.each([
  ['create_basket', 'create_basket'],
  ['basket.create', 'basket.create'],
  ['Basket-Create', 'Basket-Create'],
  ['create_basket_item', null],
  ['new_basket', null],
  ['basket', null],
])('%s is found to create baskets: %s', (tool, creator) => {
  expect(findCreator(basket, ['add_item', tool])).toBe(creator)
})

test('`createdBy` names the tool that creates it', () => {
  expect(findCreator({ ...basket, createdBy: 'go_shopping' }, ['create_basket'])).toBe(
    'go_shopping',
  )
})

const objectId = '0f'.repeat(32)

test('an id of another length is the id of no object', () => {
  const shorter = '0f'.repeat(31)
  expect(readHandleId('bsk', toHandleId('bsk', shorter))).toBeNull()
  expect(readHandleId('bsk', toHandleId('bsk', `${objectId}0f`))).toBeNull()
})

test('an id contains its kind’s prefix and its object', () => {
  const id = toHandleId('bsk', objectId)
  expect(id).toMatch(/^bsk_[\w-]{43}$/)
  expect(readHandleId('bsk', id)).toBe(objectId)
})

test.each([
  ['of another kind', toHandleId('box', objectId)],
  ['with a longer prefix', toHandleId('bskt', objectId)],
  ['too short', toHandleId('bsk', objectId.slice(2))],
  ['too long', toHandleId('bsk', `${objectId}0f`)],
  ['with padding', `${toHandleId('bsk', objectId)}=`],
  ['with white space', ` ${toHandleId('bsk', objectId)}`],
  ['in another spelling', `${toHandleId('bsk', objectId).slice(0, -1)}9`],
  ['not of Base64url', `bsk_${'?'.repeat(43)}`],
  ['of nothing', 'bsk_'],
  ['that is not text', 7],
])('an id %s is refused', (_, id) => {
  expect(readHandleId('bsk', id)).toBeNull()
})
