import { expect, test, vi } from 'vitest'
import { basket, box, deployed, note } from './handles-fixture.ts'
import {
  createClient,
  createStranger,
  refusalOf,
  rowsWritten,
  stubOf,
  tablesOf,
} from './handles-client.ts'
import { toHandleId, toNewObjectId } from '../../../src/state/handle-id.ts'

const gone =
  'There is no such basket: it has expired or was ended, or the id is not one of yours. ' +
  'Create a new one with create_basket and use the id that it returns.'

test('an id that cannot be a basket is refused before any object is called', async () => {
  const { handles, hops } = createStranger()
  const { id } = await handles.create(basket, 'EUR')
  const other = await handles.create(box, 0)
  hops.length = 0
  const ids = [
    '',
    'bsk_',
    'basket',
    id.slice(0, -1),
    `${id}A`,
    id.toUpperCase(),
    `bsk_${'A'.repeat(43)}`,
    other.id,
    other.id.replace('box_', 'BSK_'),
    '__proto__',
  ]
  const sentences = await Promise.all(
    ids.map((wrong) => refusalOf(() => handles.open(basket, wrong))),
  )
  expect(new Set(sentences)).toEqual(new Set([gone]))
  expect(hops).toEqual([])
})

test('unknown and ended ids, and those of other kinds and callers, cause one sentence', async () => {
  const { handles, context } = createStranger()
  const mine = await handles.create(basket, 'EUR')
  const ended = await handles.create(basket, 'EUR')
  await ended.end()
  const unknown = toHandleId('bsk', toNewObjectId(basket, context.namespace()).toString())
  const ofAnother = (await handles.create(box, 0)).id.replace('box_', 'bsk_')
  const sentences = await Promise.all([
    ...[ended.id, unknown, ofAnother].map((id) => refusalOf(() => handles.read(basket, id))),
    refusalOf(() => ended.end()),
    refusalOf(() => createStranger().handles.open(basket, mine.id).total()),
    refusalOf(() => createStranger().handles.open(basket, mine.id).end()),
    refusalOf(() => createClient(null).handles.read(basket, mine.id)),
  ])
  expect(new Set(sentences)).toEqual(new Set([gone]))
  expect(await mine.total()).toBe(0)
})

test('using an id that holds nothing stores nothing', async () => {
  const { handles, context } = createStranger()
  const unknown = toHandleId('bsk', toNewObjectId(basket, context.namespace()).toString())
  const opened = handles.open(basket, unknown)
  await refusalOf(() => opened.read())
  await refusalOf(() => opened.add({ sku: 'a', price: 1 }))
  await refusalOf(() => opened.end())
  expect(await rowsWritten(stubOf(unknown))).toBe(0)
  expect(await tablesOf(stubOf(unknown))).toBe(0)
})

test('the id of an anonymous caller opens for every caller', async () => {
  const { id } = await createClient(null).handles.create(basket, 'EUR')
  expect(await createStranger().handles.open(basket, id).total()).toBe(0)
  expect(await createClient(null).handles.open(basket, id).total()).toBe(0)
})

test('a state of an earlier version gets the defaults of the current schema', async () => {
  const { handles } = createStranger()
  deployed.version = 0
  const { id } = await handles.create(note, 'Rain.')
  deployed.version = 1
  expect(await handles.open(note, id).get()).toBe('Rain. [plain]')
  expect(await handles.read(note, id)).toEqual({ text: 'Rain.', tags: ['plain'] })
})

test('a state that no longer fits its schema has its own sentence, and can still be ended', async () => {
  const { handles } = createStranger()
  deployed.version = 0
  const { id } = await handles.create(note, 'Rain.')
  deployed.version = 2
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const unreadable =
    'This note was stored by another version of the server, and this version cannot read it. ' +
    'Create a new one with note.create and use the id that it returns.'
  expect(await refusalOf(() => handles.read(note, id))).toBe(unreadable)
  expect(await refusalOf(() => handles.open(note, id).get())).toBe(unreadable)
  expect(log.mock.calls[0]).toEqual([expect.stringContaining('must be a number, but is a string')])
  log.mockRestore()
  deployed.version = 0
  expect(await handles.open(note, id).get()).toBe('Rain.')
  deployed.version = 2
  await handles.open(note, id).end()
  deployed.version = 0
  expect(await refusalOf(() => handles.read(note, id))).toContain('There is no such note')
})
