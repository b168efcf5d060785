import { runDurableObjectAlarm } from 'cloudflare:test'
import { exports } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { toIndexObjectId } from '../../../src/state/handle-id.ts'
import { readHandlesNamespace } from '../../../src/objects/handles-rpc.ts'
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
  tablesOf,
} from './handles-client.ts'

const full =
  'No box was created: you already have 3, which is the limit. ' +
  'Use one of them, or end one first.'

function indexOf(caller: string): DurableObjectStub {
  return namespace().get(toIndexObjectId(box, readHandlesNamespace(exports), caller))
}

test('a caller may have `perCaller` live handles of a kind', async () => {
  const { handles } = createStranger()
  const boxes = await Promise.all([1, 2, 3].map(() => handles.create(box, 0)))
  expect(await refusalOf(() => handles.create(box, 0))).toBe(full)
  await boxes[0]?.end()
  await handles.create(box, 0)
  expect(await refusalOf(() => handles.create(box, 0))).toBe(full)
  // the limit is for each caller and kind
  await createStranger().handles.create(box, 0)
  await handles.create(basket, 'EUR')
})

test('concurrent calls cannot exceed the limit', async () => {
  const { handles } = createStranger()
  const outcomes = await Promise.allSettled([1, 2, 3, 4, 5, 6].map(() => handles.create(box, 0)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
})

test('a caller’s handles are listed, oldest first', async () => {
  const { handles } = createStranger()
  expect(await handles.list(box)).toEqual([])
  const first = await handles.create(box, 0)
  await scheduler.wait(2)
  const second = await handles.create(box, 0)
  const listed = await handles.list(box)
  expect(listed.map(({ id }) => id)).toEqual([first.id, second.id])
  expect(Date.now() - (listed[0]?.createdAt ?? 0)).toBeLessThan(2_000)
  await first.end()
  expect((await handles.list(box)).map(({ id }) => id)).toEqual([second.id])
  expect(await createStranger().handles.list(box)).toEqual([])
})

test('listing writes nothing while every handle is certain to live', async () => {
  const caller = crypto.randomUUID()
  const { handles } = createClient(caller)
  await handles.create(box, 0)
  await handles.create(box, 0)
  // two entries and one alarm
  expect(await rowsWritten(indexOf(caller))).toBe(3)
  await handles.list(box)
  expect(await rowsWritten(indexOf(caller))).toBe(3)
})

test('listing an empty index stores nothing', async () => {
  const caller = crypto.randomUUID()
  await createClient(caller).handles.list(box)
  expect(await tablesOf(indexOf(caller))).toBe(0)
})

test('expired handles are removed from the list and free their place, and used ones stay', async () => {
  const caller = crypto.randomUUID()
  const { handles } = createClient(caller)
  const [used, unused] = [await handles.create(box, 0), await handles.create(box, 0)]
  await handles.create(box, 0)
  await age(stubOf(unused.id), 2 * hour)
  await age(indexOf(caller), 2 * hour)
  // the index does not know which of them was used, and asks
  await handles.create(box, 0)
  const listed = (await handles.list(box)).map(({ id }) => id)
  expect(listed).toHaveLength(3)
  expect(listed).toContain(used.id)
  expect(listed).not.toContain(unused.id)
  expect(await refusalOf(() => handles.create(box, 0))).toBe(full)
})

test('a handle whose end did not reach the index is removed later', async () => {
  const caller = crypto.randomUUID()
  const { handles, context } = createClient(caller)
  const created = await handles.create(box, 0)
  // ended without the index, as when the index cannot be reached
  const object = context.namespace().get(stubOf(created.id).id)
  await object.end({ kind: 'box', caller })
  expect(await handles.list(box)).toHaveLength(1)
  await age(indexOf(caller), hour)
  expect(await handles.list(box)).toEqual([])
})

test('a handle whose start throws takes no place', async () => {
  const { handles } = createStranger()
  expect(await refusalOf(() => handles.create(box, -1))).toBe('Nothing is below zero.')
  expect(await handles.list(box)).toEqual([])
})

test('the alarm of the index removes dead handles, and all storage with the last one', async () => {
  const caller = crypto.randomUUID()
  const { handles } = createClient(caller)
  const first = await handles.create(box, 0)
  const second = await handles.create(box, 0)
  await age(stubOf(first.id), 2 * hour)
  await age(indexOf(caller), 2 * hour)
  expect(await runDurableObjectAlarm(indexOf(caller))).toBe(true)
  expect((await handles.list(box)).map(({ id }) => id)).toEqual([second.id])
  await age(stubOf(second.id), 2 * hour)
  await age(indexOf(caller), 2 * hour)
  // it has set itself again for the rest
  expect(await runDurableObjectAlarm(indexOf(caller))).toBe(true)
  expect(await tablesOf(indexOf(caller))).toBe(0)
})

test('anonymous callers have no limit and no list', async () => {
  const { handles, hops } = createClient(null)
  for (let count = 0; count < 4; count += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one more than the limit
    await handles.create(box, 0)
  }
  expect(hops).toEqual(Array(4).fill('create'))
  expect(await refusalOf(() => handles.list(box))).toBe(
    'Which box is yours depends on the caller, and this call is anonymous. ' +
      'Sign in, then try again.',
  )
})

test('listing a kind without perCaller throws an error for the author', async () => {
  const { handles } = createStranger()
  const listing = handles.list(basket).then(String, String)
  expect(await listing).toContain('`list` needs an index: set `perCaller` on the handle "basket".')
})
