import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, expect, test, vi } from 'vitest'
import { HandleExpiry } from '../../../src/objects/handle-expiry.ts'
import { createHandlesClass } from '../../../src/objects/handles-object.ts'
import { StoredHandle } from '../../../src/objects/stored-handle.ts'
import { WorkerLog } from '../../../src/out/log.ts'
import { createSanitizer } from '../../../src/out/sanitizer.ts'
import { blink, deployed, farewell, farewells, letter, note } from './handles-fixture.ts'
import {
  age,
  createStranger,
  hour,
  refusalOf,
  ring,
  rowsWritten,
  stubOf,
  tablesOf,
} from './handles-client.ts'

const log = (): WorkerLog => new WorkerLog(createSanitizer([]))

beforeEach(() => {
  farewells.length = 0
  farewell.fails = false
})

test('an unused handle is gone after its idle time, whenever the alarm fires', async () => {
  const { handles } = createStranger()
  const { id } = await handles.create(letter, 1)
  await age(stubOf(id), 2 * hour)
  const rows = await rowsWritten(stubOf(id))
  const opened = handles.open(letter, id)
  expect(await refusalOf(() => opened.read())).toContain('There is no such letter')
  expect(await refusalOf(() => opened.end())).toContain('There is no such letter')
  expect(await rowsWritten(stubOf(id))).toBe(rows)

  // the late alarm, and then once more
  expect(await runDurableObjectAlarm(stubOf(id))).toBe(true)
  await ring(stubOf(id))
  expect(await tablesOf(stubOf(id))).toBe(0)
  expect(await refusalOf(() => opened.read())).toContain('There is no such letter')
})

test('no handle expires before the time that its creator was promised', async () => {
  const { handles } = createStranger()
  const { id } = await handles.create(letter, 1)
  await age(stubOf(id), hour / 11)
  await handles.read(letter, id)
  // that read was too soon after the creation to be stored
  await age(stubOf(id), hour - 10_000)
  expect(await handles.read(letter, id)).toEqual({ stamp: 1 })
})

test('the alarm deletes an expired handle', async () => {
  const { handles } = createStranger()
  const { id } = await handles.create(blink)
  expect(await tablesOf(stubOf(id))).toBeGreaterThan(0)
  await vi.waitFor(async () => expect(await tablesOf(stubOf(id))).toBe(0), 15_000)
})

test('a handle that is used lives on, and an alarm that fires too early changes nothing', async () => {
  const { handles } = createStranger()
  const opened = await handles.create(blink)
  for (let use = 1; use <= 3; use += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other is the point
    await scheduler.wait(600)
    // oxlint-disable-next-line no-await-in-loop
    expect(await opened.bump()).toBe(use)
    // oxlint-disable-next-line no-await-in-loop
    await ring(stubOf(opened.id))
  }
  expect(await opened.look()).toBe(3)
})

test('reads keep a handle alive too', async () => {
  const { handles } = createStranger()
  const { id } = await handles.create(letter, 1)
  for (let use = 1; use <= 3; use += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other is the point
    await age(stubOf(id), hour - 60_000)
    // oxlint-disable-next-line no-await-in-loop
    expect(await handles.read(letter, id)).toEqual({ stamp: 1 })
  }
})

test('no handle lives longer than its max', async () => {
  const { handles } = createStranger()
  const opened = await handles.create(blink)
  const began = Date.now()
  const bumped = async (): Promise<boolean> => opened.bump().then(Boolean, () => false)
  // oxlint-disable-next-line no-await-in-loop -- one after the other is the point
  while (await bumped()) await scheduler.wait(200)
  const lived = Date.now() - began
  expect(lived).toBeGreaterThan(2_500)
  expect(lived).toBeLessThan(4_500)
})

test('onExpire gets the last state, once, before it is deleted', async () => {
  const { handles } = createStranger()
  const { id } = await handles.create(letter, 7)
  await age(stubOf(id), 2 * hour)
  await runDurableObjectAlarm(stubOf(id))
  await ring(stubOf(id))
  expect(farewells).toEqual([7])
  expect(await tablesOf(stubOf(id))).toBe(0)
})

test('onExpire does not run for a handle that was ended', async () => {
  const { handles } = createStranger()
  const created = await handles.create(letter, 8)
  await created.end()
  expect(await tablesOf(stubOf(created.id))).toBe(0)
  await ring(stubOf(created.id))
  expect(farewells).toEqual([])
})

test('an onExpire that fails is retried and logged, and the last retry deletes all the same', async () => {
  const { handles } = createStranger()
  const { id } = await handles.create(letter, 9)
  farewell.fails = true
  const logged = vi.spyOn(console, 'error').mockReturnValue()
  const outcomes = await runInDurableObject(stubOf(id), async (_, { storage }) => {
    const record = new StoredHandle(storage, log).record()
    if (record === null) return ['nothing stored']
    const expiry = new HandleExpiry(storage, env, log)
    const outcome = (retry: number): Promise<string> =>
      expiry.run(letter, record, retry).then(
        () => 'deleted',
        (error: unknown) => String(error),
      )
    return [await outcome(0), await outcome(5), await outcome(6)]
  })
  // the runtime logs what an alarm throws: it names the line with the error, and not the error
  const retried = expect.stringMatching(
    /`onExpire` of the handle "letter" failed .* Error id: [\w-]+/,
  )
  expect(outcomes).toEqual([retried, retried, 'deleted'])
  const entry = [
    expect.stringContaining(String.raw`onExpire of \"letter\"`),
    expect.objectContaining({ message: 'The post office is closed.' }),
  ]
  expect(logged.mock.calls).toEqual([entry, entry, entry])
  logged.mockRestore()
  expect(await tablesOf(stubOf(id))).toBe(0)
})

test('a module that does not load keeps the handle, and the error is in the log, masked', async () => {
  const { handles } = createStranger()
  const { id } = await handles.create(letter, 1)
  await age(stubOf(id), 2 * hour)
  const logged = vi.spyOn(console, 'error').mockReturnValue()
  const load = () => Promise.reject(new Error('no route with hunter2-hunter2'))
  const maskedLog = () => new WorkerLog(createSanitizer(['hunter2-hunter2']))
  const Broken = createHandlesClass([{ name: 'letter', load }], maskedLog)
  const outcome = await runInDurableObject(stubOf(id), async (_, state) => {
    try {
      await new Broken(state, env).alarm?.()
      return 'deleted'
    } catch (error) {
      return String(error)
    }
  })
  expect(outcome).toMatch(/The module of the handle "letter" failed to load.*Error id: [\w-]+/)
  expect(logged.mock.calls).toEqual([
    [
      expect.stringContaining(String.raw`the module of the handle \"letter\"`),
      expect.objectContaining({ message: 'no route with [secret]' }),
    ],
  ])
  logged.mockRestore()
  expect(await tablesOf(stubOf(id))).toBeGreaterThan(0)
})

test('a handle keeps the lifetime that its creator was promised', async () => {
  const { handles } = createStranger()
  deployed.version = 0
  const { id } = await handles.create(note, 'One hour.')
  deployed.version = 1
  await evictDurableObject(stubOf(id))
  await handles.read(note, id)
  const record = await runInDurableObject(stubOf(id), (_, { storage }) =>
    new StoredHandle(storage, log).record(),
  )
  deployed.version = 0
  expect(record?.idleMs).toBe(hour)
})
