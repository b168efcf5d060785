import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, expect, test, vi } from 'vitest'
import { HandleExpiry } from '../../../src/objects/handle-expiry.ts'
import { readHandleRecord } from '../../../src/objects/handle-record.ts'
import { createHandlesClass } from '../../../src/objects/handles-object.ts'
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

/** How many milliseconds from now the alarm of an object is set to. */
async function untilAlarm(stub: DurableObjectStub): Promise<number> {
  const alarm = await runInDurableObject(stub, (_, { storage }) => storage.getAlarm())
  if (alarm === null) throw new Error('No alarm is set.')
  return alarm - Date.now()
}

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

test('an onExpire that fails runs again six times within about a day, and is logged each time', async () => {
  const { handles } = createStranger()
  const { id } = await handles.create(letter, 9)
  farewell.fails = true
  const logged = vi.spyOn(console, 'error').mockReturnValue()
  await age(stubOf(id), 2 * hour)
  await ring(stubOf(id))
  expect(await refusalOf(() => handles.read(letter, id))).toContain('There is no such letter')
  // an alarm that fires too early changes nothing
  await ring(stubOf(id))
  expect(farewells).toEqual([9])

  const delays = []
  // oxlint-disable-next-line no-await-in-loop
  while ((await tablesOf(stubOf(id))) > 0) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other is the point
    const delay = await untilAlarm(stubOf(id))
    delays.push(Math.round(delay / 10_000) * 10)
    // oxlint-disable-next-line no-await-in-loop
    await age(stubOf(id), delay)
    // oxlint-disable-next-line no-await-in-loop
    await ring(stubOf(id))
  }
  expect(delays).toEqual([10, 60, 600, 3_600, 21_600, 86_400])
  expect(farewells).toEqual([9, 9, 9, 9, 9, 9, 9])
  const entry = [
    expect.stringContaining(String.raw`onExpire of \"letter\"`),
    expect.objectContaining({ message: 'The post office is closed.' }),
  ]
  expect(logged.mock.calls).toEqual([entry, entry, entry, entry, entry, entry, entry])
  logged.mockRestore()
})

test('an onExpire that succeeds at a later run does not run again', async () => {
  const { handles } = createStranger()
  const { id } = await handles.create(letter, 10)
  farewell.fails = true
  const logged = vi.spyOn(console, 'error').mockReturnValue()
  await age(stubOf(id), 2 * hour)
  await ring(stubOf(id))
  farewell.fails = false
  await age(stubOf(id), 10_000)
  await ring(stubOf(id))
  expect(farewells).toEqual([10, 10])
  expect(await tablesOf(stubOf(id))).toBe(0)
  logged.mockRestore()
})

test('an onExpire that does not end is logged, and does not hold up the next one', async () => {
  const { handles } = createStranger()
  const { id } = await handles.create(letter, 12)
  const logged = vi.spyOn(console, 'error').mockReturnValue()
  await age(stubOf(id), 2 * hour)
  await runInDurableObject(stubOf(id), async (_, { storage }) => {
    farewell.until = new Promise(() => {})
    await new HandleExpiry(storage, env, log, async () => letter, 50).alarm()
    farewell.until = Promise.resolve()
  })
  expect(logged.mock.calls).toEqual([
    [
      expect.any(String),
      expect.objectContaining({ message: 'It did not finish within 0.05 seconds.' }),
    ],
  ])
  logged.mockRestore()
  await age(stubOf(id), 10_000)
  await ring(stubOf(id))
  expect(farewells).toEqual([12, 12])
  expect(await tablesOf(stubOf(id))).toBe(0)
})

test('a kind whose module fails to load is logged, and its onExpire runs again', async () => {
  const { handles } = createStranger()
  const { id } = await handles.create(letter, 11)
  const logged = vi.spyOn(console, 'error').mockReturnValue()
  await age(stubOf(id), 2 * hour)
  await runInDurableObject(stubOf(id), async (_, { storage }) => {
    const failing = (): Promise<never> => Promise.reject(new Error('No module.'))
    await new HandleExpiry(storage, env, log, failing).alarm()
  })
  expect(logged.mock.calls).toEqual([
    [expect.any(String), expect.objectContaining({ message: 'No module.' })],
  ])
  logged.mockRestore()
  await age(stubOf(id), 10_000)
  await ring(stubOf(id))
  expect(farewells).toEqual([11])
})

test('an alarm whose module does not load throws nothing, and the error is in the log, masked', async () => {
  const { handles } = createStranger()
  const { id } = await handles.create(letter, 1)
  await age(stubOf(id), 2 * hour)
  const logged = vi.spyOn(console, 'error').mockReturnValue()
  const load = () => Promise.reject(new Error('no route with hunter2-hunter2'))
  const maskedLog = () => new WorkerLog(createSanitizer(['hunter2-hunter2']))
  const Broken = createHandlesClass([{ name: 'letter', load }], maskedLog)
  // the platform would log what it throws, unmasked
  await runInDurableObject(stubOf(id), (_, state) => new Broken(state, env).alarm?.())
  expect(logged.mock.calls).toEqual([
    [
      expect.stringContaining(String.raw`onExpire of \"letter\"`),
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
    readHandleRecord(storage.kv.get('handle')),
  )
  deployed.version = 0
  expect(record?.idleMs).toBe(hour)
})
