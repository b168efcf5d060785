import { runDurableObjectAlarm } from 'cloudflare:test'
import { exports } from 'cloudflare:workers'
import { beforeEach, expect, test, vi } from 'vitest'
import { readHandlesNamespace } from '../../../src/objects/handles-rpc.ts'
import { toOwnObjectId } from '../../../src/state/handle-id.ts'
import { diary, farewell, farewells } from './handles-fixture.ts'
import {
  age,
  createClient,
  hour,
  namespace,
  refusalOf,
  rowsWritten,
  tablesOf,
  type Client,
} from './handles-client.ts'

beforeEach(() => {
  farewells.length = 0
  farewell.fails = false
  farewell.until = Promise.resolve()
})

function createOwner(): Client & { readonly stub: DurableObjectStub } {
  const caller = crypto.randomUUID()
  const client = createClient(caller)
  return {
    ...client,
    stub: namespace().get(toOwnObjectId(diary, client.context.namespace(), caller)),
  }
}

test('each caller has its own handle, without create and without an id', async () => {
  const one = createOwner()
  const other = createOwner()
  await one.handles.open(diary).write('Rain.')
  await one.handles.open(diary).write('Sun.')
  expect(await one.handles.read(diary)).toEqual({ entries: 2 })
  expect(await one.handles.open(diary).all()).toEqual(['Rain.', 'Sun.'])
  expect(await other.handles.open(diary).count()).toBe(0)
  expect(await other.handles.open(diary).all()).toEqual([])
})

test('handles of two kinds are two objects, and those of two callers', () => {
  const idOf = (kind: string, caller: string): string =>
    toOwnObjectId({ ...diary, name: kind }, readHandlesNamespace(exports), caller).toString()
  const ids = [idOf('diary', 'ann'), idOf('album', 'ann'), idOf('diary', 'bob')]
  expect(new Set(ids).size).toBe(3)
  expect(idOf('diary', 'ann')).toBe(ids[0])
})

test('reading one that has not begun returns the first state and stores nothing', async () => {
  const { handles, stub, hops } = createOwner()
  expect(await handles.read(diary)).toEqual({ entries: 0 })
  expect(await rowsWritten(stub)).toBe(0)
  expect(await tablesOf(stub)).toBe(0)
  await handles.open(diary).end()
  expect(await tablesOf(stub)).toBe(0)
  expect(hops).toEqual(['read', 'end'])
})

test('a verb that throws rolls back its rows as well as its state', async () => {
  const { handles } = createOwner()
  const mine = handles.open(diary)
  await mine.write('Rain.')
  expect(await refusalOf(() => mine.write(''))).toBe('An entry has words.')
  expect(await mine.all()).toEqual(['Rain.'])
  expect(await mine.count()).toBe(1)
})

test('a verb that throws does not begin one', async () => {
  const { handles, stub } = createOwner()
  expect(await refusalOf(() => handles.open(diary).write(''))).toBe('An entry has words.')
  expect(await tablesOf(stub)).toBe(0)
})

test('an ended one begins again', async () => {
  const { handles } = createOwner()
  const mine = handles.open(diary)
  await mine.write('Rain.')
  await mine.end()
  expect(await mine.read()).toEqual({ entries: 0 })
  await mine.write('Sun.')
  expect(await mine.all()).toEqual(['Sun.'])
})

test('an expired one is deleted, once and after onExpire, before a new one begins', async () => {
  const { handles, stub } = createOwner()
  const mine = handles.open(diary)
  await mine.write('Rain.')
  await age(stub, 2 * hour)
  expect(await mine.read()).toEqual({ entries: 0 })
  expect(farewells).toEqual([])
  await Promise.all([mine.write('Sun.'), mine.write('Wind.')])
  expect(farewells).toEqual([1])
  expect(await mine.all()).toEqual(['Sun.', 'Wind.'])
  // the new one has its own alarm
  expect(await runDurableObjectAlarm(stub)).toBe(true)
  expect(await mine.count()).toBe(2)
})

test('an onExpire that fails does not lock its caller out, and runs again by the alarm alone', async () => {
  const logged = vi.spyOn(console, 'error').mockReturnValue()
  const { handles, stub } = createOwner()
  const mine = handles.open(diary)
  await mine.write('Rain.')
  await age(stub, 2 * hour)
  farewell.fails = true
  await mine.write('Sun.')
  expect(await mine.all()).toEqual(['Sun.'])
  await mine.write('Wind.')
  expect(farewells).toEqual([1])

  // the new one ends, and the old one's turn is still to come
  await mine.end()
  await mine.write('Snow.')
  await age(stub, 10_000)
  await runDurableObjectAlarm(stub)
  expect(farewells).toEqual([1, 1])
  farewell.fails = false
  await age(stub, 60_000)
  await runDurableObjectAlarm(stub)
  await age(stub, hour / 2)
  await runDurableObjectAlarm(stub)
  expect(farewells).toEqual([1, 1, 1])
  expect(await mine.all()).toEqual(['Snow.'])
  expect(logged).toHaveBeenCalledTimes(2)
  logged.mockRestore()
})

test('an onExpire that does not end holds its caller up for five seconds, once', async () => {
  const { handles, stub } = createOwner()
  const mine = handles.open(diary)
  await mine.write('Rain.')
  await age(stub, 2 * hour)
  const { promise, resolve } = Promise.withResolvers<void>()
  farewell.until = promise
  const begun = Date.now()
  // begins no other one
  expect(await refusalOf(() => mine.write(''))).toContain('An entry has words.')
  expect(Date.now() - begun).toBeLessThan(8_000)
  const again = Date.now()
  await refusalOf(() => mine.write(''))
  await mine.end()
  await mine.write('Sun.')
  await mine.write('Wind.')
  expect(Date.now() - again).toBeLessThan(3_000)
  resolve()
  expect(await mine.all()).toEqual(['Sun.', 'Wind.'])
  expect(farewells).toEqual([1])
})

test('ending an expired one runs its onExpire', async () => {
  const { handles, stub } = createOwner()
  const mine = handles.open(diary)
  await mine.write('Rain.')
  await age(stub, 2 * hour)
  await mine.end()
  expect(farewells).toEqual([1])
  expect(await tablesOf(stub)).toBe(0)
})

test('an anonymous caller has none', async () => {
  const { handles, hops } = createClient(null)
  expect(await refusalOf(() => handles.open(diary))).toContain('Sign in, then try again.')
  expect(await refusalOf(() => handles.read(diary))).toContain('Sign in, then try again.')
  expect(hops).toEqual([])
})
