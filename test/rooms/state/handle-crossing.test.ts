import { expect, test } from 'vitest'
import { ToolError } from '../../../src/define/reply.ts'
import { age, createStranger, hour, rowsWritten, stubOf } from './handles-client.ts'
import { kettle, parcel, safe, notPlain } from './plain-data-fixture.ts'

const names = [...notPlain.keys()]

test.each(names)('a verb that returns %s changes nothing and says why', async (what) => {
  const { handles } = createStranger()
  const created = await handles.create(parcel, 'fit')
  const error = await failureOf(() => created.give(what))
  expect(error.message).toContain(`give of parcel returned ${what}. Nothing was changed`)
  expect(await created.count()).toBe(0)
})

test.each(names)('a verb that returns %s writes no row either', async (what) => {
  const { handles } = createStranger()
  const created = await handles.create(parcel, 'fit')
  const error = await failureOf(() => created.record(what))
  expect(error.message).toContain(`record of parcel returned ${what}.`)
  expect(await created.gifts()).toBe(0)
  expect(await created.count()).toBe(0)
})

test.each(names)('an argument that is %s is not sent to the object', async (what) => {
  const { handles, hops } = createStranger()
  const created = await handles.create(parcel, 'fit')
  hops.length = 0
  const error = await failureOf(() => created.take([notPlain.get(what)?.()]))
  expect(error.message).toMatch(/^take of parcel was called with .* Nothing was changed/)
  expect(hops).toEqual([])
  expect(await created.count()).toBe(0)
})

test('create with such an argument calls no object, and takes no place', async () => {
  const { handles, hops } = createStranger()
  const error = await failureOf(() => handles.create(parcel, () => 1))
  expect(error.message).toContain('start of parcel was called with a function at [0].')
  expect(hops).toEqual([])
})

test('nothing is created where start returns such a value', async () => {
  const { handles } = createStranger()
  const error = await failureOf(() => handles.create(parcel, 'unfit'))
  expect(error.message).toContain('start of parcel returned an instance of Promise at p.')
  expect(await handles.list(parcel)).toEqual([])
})

test('a read returns dates where the schema converts stored text to dates', async () => {
  const { handles } = createStranger()
  const { id } = await handles.create(safe)
  expect(await handles.read(safe, id)).toEqual({ made: new Date(0) })
})

test('a read that cannot be returned does not count as a use', async () => {
  const { handles } = createStranger()
  const { id } = await handles.create(kettle)
  await age(stubOf(id), hour / 2)
  const before = await rowsWritten(stubOf(id))
  const error = await failureOf(() => handles.read(kettle, id))
  expect(error.message).toContain('read of kettle found an instance of Teapot at pot.')
  expect(await rowsWritten(stubOf(id))).toBe(before)
})

/** Returns the error that `work` throws, which must not be a ToolError. */
async function failureOf(work: () => Promise<unknown>): Promise<Error> {
  const error: unknown = await work().then(String, (thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(Error)
  expect(error).not.toBeInstanceOf(ToolError)
  return error instanceof Error ? error : new Error('Nothing failed.')
}
