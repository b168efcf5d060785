import { runDurableObjectAlarm } from 'cloudflare:test'
import { exports } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { toIndexId } from '../../../src/state/handle-client.ts'
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
  'No box was created: there are 3 of yours already, which is the limit. ' +
  'Use one of them, or end one first.'

function indexOf(caller: string): DurableObjectStub {
  return namespace().get(toIndexId(box, readHandlesNamespace(exports), caller))
}

test('a caller may have so many live handles of a kind and no more', async () => {
  const { handles } = createStranger()
  const boxes = await Promise.all([1, 2, 3].map(() => handles.create(box, 0)))
  expect(await refusalOf(() => handles.create(box, 0))).toBe(full)
  await boxes[0]?.end()
  await handles.create(box, 0)
  expect(await refusalOf(() => handles.create(box, 0))).toBe(full)
  // another caller has places of its own, as have other kinds
  await createStranger().handles.create(box, 0)
  await handles.create(basket, 'EUR')
})

test('two calls cannot both take the last place', async () => {
  const { handles } = createStranger()
  const outcomes = await Promise.allSettled([1, 2, 3, 4, 5, 6].map(() => handles.create(box, 0)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
})

test('a caller’s own handles are listed, oldest first', async () => {
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

test('listing writes nothing while every handle is sure to live', async () => {
  const caller = crypto.randomUUID()
  const { handles } = createClient(caller)
  await handles.create(box, 0)
  await handles.create(box, 0)
  // two entries and one alarm
  expect(await rowsWritten(indexOf(caller))).toBe(3)
  await handles.list(box)
  expect(await rowsWritten(indexOf(caller))).toBe(3)
})

test('an index that nobody has written to stores nothing when it is listed', async () => {
  const caller = crypto.randomUUID()
  await createClient(caller).handles.list(box)
  expect(await tablesOf(indexOf(caller))).toBe(0)
})

test('expired handles leave the list and make room, and used ones stay', async () => {
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

test('a handle that ended behind the back of the index is found out', async () => {
  const caller = crypto.randomUUID()
  const { handles, context } = createClient(caller)
  const created = await handles.create(box, 0)
  // ended without a word to the index, as when the index cannot be reached
  const object = context.namespace().get(stubOf(created.id).id)
  await object.end({ kind: 'box', caller })
  expect(await handles.list(box)).toHaveLength(1)
  await age(indexOf(caller), hour)
  expect(await handles.list(box)).toEqual([])
})

test('a handle whose start refused takes no place', async () => {
  const { handles } = createStranger()
  expect(await refusalOf(() => handles.create(box, -1))).toBe('Nothing is below zero.')
  expect(await handles.list(box)).toEqual([])
})

test('the alarm of the index drops what is gone, and the index with the last handle', async () => {
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

test('callers that are nobody have no limit and no list', async () => {
  const { handles, hops } = createClient(null)
  for (let count = 0; count < 4; count += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one more than the limit
    await handles.create(box, 0)
  }
  expect(hops).toEqual(Array(4).fill('create'))
  expect(await refusalOf(() => handles.list(box))).toBe(
    'Which box is yours depends on who is calling, and this call did not say who. ' +
      'Sign in, then try again.',
  )
})

test('a kind without a limit has no list, which is a fault of the author', async () => {
  const { handles } = createStranger()
  const listing = handles.list(basket).then(String, String)
  expect(await listing).toContain('Give the kind a `perCaller` limit')
})
