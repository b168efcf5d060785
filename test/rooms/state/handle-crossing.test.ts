import { expect, test } from 'vitest'
import { ToolError } from '../../../src/define/reply.ts'
import { age, createStranger, hour, rowsWritten, stubOf } from './handles-client.ts'
import { kettle, parcel, safe, unfit } from './parcel.ts'

const names = [...unfit.keys()]

test.each(names)('a verb that returns %s changes nothing and says why', async (what) => {
  const { handles } = createStranger()
  const created = await handles.create(parcel, 'fit')
  const error = await failureOf(() => created.give(what))
  expect(error.message).toContain(`give of parcel returned ${what}. Nothing was changed`)
  expect(await created.count()).toBe(0)
})

test.each(names)('a verb that returns %s keeps no row either', async (what) => {
  const { handles } = createStranger()
  const created = await handles.create(parcel, 'fit')
  const error = await failureOf(() => created.record(what))
  expect(error.message).toContain(`record of parcel returned ${what}.`)
  expect(await created.gifts()).toBe(0)
  expect(await created.count()).toBe(0)
})

test.each(names)('an argument that is %s does not leave for the object', async (what) => {
  const { handles, hops } = createStranger()
  const created = await handles.create(parcel, 'fit')
  hops.length = 0
  const error = await failureOf(() => created.take([unfit.get(what)?.()]))
  expect(error.message).toMatch(/^take of parcel was called with .* Nothing was changed/)
  expect(hops).toEqual([])
  expect(await created.count()).toBe(0)
})

test('nothing is created from such an argument, nor counted against its caller', async () => {
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

test('a read gives dates where the schema makes them of what is stored', async () => {
  const { handles } = createStranger()
  const { id } = await handles.create(safe)
  expect(await handles.read(safe, id)).toEqual({ made: new Date(0) })
})

test('a read that cannot be carried is no use of the handle', async () => {
  const { handles } = createStranger()
  const { id } = await handles.create(kettle)
  await age(stubOf(id), hour / 2)
  const before = await rowsWritten(stubOf(id))
  const error = await failureOf(() => handles.read(kettle, id))
  expect(error.message).toContain('read of kettle found an instance of Teapot at pot.')
  expect(await rowsWritten(stubOf(id))).toBe(before)
})

/** What a tool sees of a mistake that is no words for the model. */
async function failureOf(work: () => Promise<unknown>): Promise<Error> {
  const error: unknown = await work().then(String, (thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(Error)
  expect(error).not.toBeInstanceOf(ToolError)
  return error instanceof Error ? error : new Error('Nothing failed.')
}
