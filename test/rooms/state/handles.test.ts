import { evictDurableObject } from 'cloudflare:test'
import { expect, test } from 'vitest'
import { ToolError } from '../../../src/define/reply.ts'
import { bag, basket, dossier } from './handles-fixture.ts'
import { createStranger, refusalOf, stubOf } from './handles-client.ts'

const apple = { sku: 'apple', price: 2 }

test('a verb changes the state and returns its result', async () => {
  const { handles } = createStranger()
  const created = await handles.create(basket, 'EUR')
  expect(created.id).toMatch(/^bsk_[\w-]{43}$/)
  expect(await created.add(apple)).toBe(1)
  expect(await created.add({ sku: 'pear', price: 3 })).toBe(2)
  const opened = handles.open(basket, created.id)
  expect(await opened.total()).toBe(5)
  expect(await opened.read()).toEqual({
    currency: 'EUR',
    items: [apple, { sku: 'pear', price: 3 }],
  })
  expect(await handles.read(basket, created.id)).toEqual(await opened.read())
})

test('the state survives the eviction of its object', async () => {
  const { handles } = createStranger()
  const created = await handles.create(basket, 'EUR')
  await created.add(apple)
  await evictDurableObject(stubOf(created.id))
  expect(await created.total()).toBe(2)
})

test('concurrent verbs each see the state that the verb before left', async () => {
  const { handles } = createStranger()
  const created = await handles.create(basket, 'EUR')
  const counts = await Promise.all(Array.from({ length: 20 }, () => created.add(apple)))
  expect(counts.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1))
})

test('a verb that throws changes nothing, and its ToolError reaches the tool', async () => {
  const { handles } = createStranger()
  const created = await handles.create(basket, 'EUR')
  await created.add(apple)
  expect(await refusalOf(() => created.refuse())).toBe('This basket is closed.')
  expect(await created.total()).toBe(2)
})

test('any other error of a verb is not a ToolError, and changes nothing', async () => {
  const { handles } = createStranger()
  const created = await handles.create(basket, 'EUR')
  await created.add(apple)
  for (const fail of [() => created.fail(), () => created.spoil()]) {
    // oxlint-disable-next-line no-await-in-loop -- each looks at what the one before left
    const error: unknown = await fail().then(String, (thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toBeInstanceOf(ToolError)
    // oxlint-disable-next-line no-await-in-loop
    expect(await created.total()).toBe(2)
  }
})

test('a state that JSON would change is refused, and the one before stays', async () => {
  const { handles } = createStranger()
  const created = await handles.create(bag)
  await created.put({ at: new Date(0), tags: ['a'] })
  const rejections = [
    [() => created.put({ tags: new Map([['a', 1]]) }), 'the value.things.tags is a Map.'],
    [() => created.put([Number.NaN]), 'the value.things[0] is NaN.'],
    [() => created.putCircle(), 'contains itself.'],
  ] as const
  for (const [put, why] of rejections) {
    // oxlint-disable-next-line no-await-in-loop -- each looks at what the one before left
    const error: unknown = await put().then(String, (thrown: unknown) => thrown)
    expect(String(error)).toContain(`The handle "bag" has a state that JSON cannot represent`)
    expect(String(error)).toContain(why)
    // oxlint-disable-next-line no-await-in-loop
    expect(await created.look()).toEqual({ at: '1970-01-01T00:00:00.000Z', tags: ['a'] })
  }
})

test('an error of a verb keeps its name, fields, stack and cause, with secrets masked', async () => {
  const { handles } = createStranger()
  const created = await handles.create(basket, 'EUR')
  const error: unknown = await created.fail().then(String, (thrown: unknown) => thrown)
  if (!(error instanceof Error)) throw new TypeError('No error was thrown.')
  expect(error).toMatchObject({
    name: 'TypeError',
    message: 'the password is [secret]',
    status: 401,
  })
  expect(error.stack).toMatch(/^TypeError: the password is \[secret\]\n.*handles-fixture/)
  expect(error.cause).toMatchObject({ name: 'RangeError', message: 'refused [secret]' })
})

test('what a verb throws that is not an Error keeps its fields, with secrets masked', async () => {
  const { handles } = createStranger()
  const created = await handles.create(basket, 'EUR')
  const thrown: unknown = await created.failPlainly().then(String, (thrown: unknown) => thrown)
  expect(thrown).toEqual({ code: 7, password: '[secret]' })
})

test('a ToolError of start reaches the tool, and nothing is created', async () => {
  const { handles } = createStranger()
  expect(await refusalOf(() => handles.create(basket, 'euro'))).toBe(
    'A currency has three letters.',
  )
})

test('awaiting a handle calls no verb', async () => {
  const { handles, hops } = createStranger()
  const { id } = await handles.create(basket, 'EUR')
  const opened = await Promise.resolve(handles.open(basket, id))
  expect(opened.id).toBe(id)
  expect(hops).toEqual(['create'])
  for (const name of ['then', 'toJSON', 'nope']) expect(Reflect.get(opened, name)).toBeUndefined()
})

test('a state may have at most 1 MiB of JSON', async () => {
  const { handles } = createStranger()
  const created = await handles.create(basket, 'EUR')
  // one character outside Latin-1 would double the size of text stored as text
  await created.rename(`${'a'.repeat(1_048_000)}\u{1F9FA}`)
  expect((await created.read()).currency.length).toBe(1_048_002)
  expect(await refusalOf(() => created.rename('a'.repeat(1_048_576)))).toBe(
    'Nothing was changed: the basket would take 1048602 bytes, and the limit is 1048576. ' +
      'Store less in it, or use another basket.',
  )
  expect((await created.read()).currency.length).toBe(1_048_002)
})

test('a jurisdiction is ignored on a development machine, which has none', async () => {
  const { handles } = createStranger()
  const created = await handles.create(dossier)
  expect(await handles.open(dossier, created.id).look()).toBe('there')
})
