import { runInDurableObject } from 'cloudflare:test'
import { expect, test } from 'vitest'
import { basket, box } from './handles-fixture.ts'
import {
  age,
  createClient,
  createStranger,
  hour,
  namespace,
  refusalOf,
  rowsWritten,
  stubOf,
} from './handles-client.ts'

/* The costs in docs/storage.md, in objects called and rows written. */

const apple = { sku: 'apple', price: 2 }

test('creating calls one object and writes two rows: the record and the alarm', async () => {
  const { handles, hops } = createStranger()
  const { id } = await handles.create(basket, 'EUR')
  expect(hops).toEqual(['create'])
  expect(await rowsWritten(stubOf(id))).toBe(2)
})

test('a verb calls one object and writes one row, and none where it changes nothing', async () => {
  const { handles, hops } = createStranger()
  const { id } = await handles.create(basket, 'EUR')
  const opened = handles.open(basket, id)
  hops.length = 0
  await opened.add(apple)
  expect(hops).toEqual(['use'])
  expect(await rowsWritten(stubOf(id))).toBe(3)
  await opened.total()
  expect(await rowsWritten(stubOf(id))).toBe(3)
})

test('a read and a refused call write nothing', async () => {
  const { handles, hops } = createStranger()
  const { id } = await handles.create(basket, 'EUR')
  hops.length = 0
  await handles.read(basket, id)
  await refusalOf(() => handles.open(basket, id).refuse())
  await refusalOf(() => createStranger().handles.open(basket, id).add(apple))
  await refusalOf(() => createClient(null).handles.read(basket, id))
  expect(hops).toEqual(['read', 'use'])
  expect(await rowsWritten(stubOf(id))).toBe(2)
})

test('a start that throws writes nothing', async () => {
  const { context } = createStranger()
  const objectId = context.namespace().newUniqueId()
  const object = context.namespace().get(objectId)
  const answer = await object.create({ kind: 'basket', caller: 'a' }, ['euro'])
  expect(answer).toEqual({ kind: 'refused', message: 'A currency has three letters.' })
  expect(await rowsWritten(namespace().get(objectId))).toBe(0)
})

test('reads write at most once in a tenth of the idle time, and never the alarm', async () => {
  const { handles } = createStranger()
  const { id } = await handles.create(box, 0)
  const alarm = await alarmOf(id)
  await age(stubOf(id), hour / 11)
  const rows = await rowsWritten(stubOf(id))
  await handles.read(box, id)
  expect(await rowsWritten(stubOf(id))).toBe(rows)
  await age(stubOf(id), hour / 11)
  await handles.read(box, id)
  await handles.read(box, id)
  // one of them is written by `age`
  expect(await rowsWritten(stubOf(id))).toBe(rows + 1 + 1)
  expect(await alarmOf(id)).toBe(alarm)
})

test('perCaller costs one more object at create and at end', async () => {
  const { handles, hops } = createStranger()
  const created = await handles.create(box, 0)
  await created.bump()
  await created.end()
  expect(hops).toEqual(['addToIndex', 'create', 'use', 'end', 'removeFromIndex'])
})

function alarmOf(id: string): Promise<number | null> {
  return runInDurableObject(stubOf(id), (_, { storage }) => storage.getAlarm())
}
