import { env, exports } from 'cloudflare:workers'
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { describe, expect, test, vi } from 'vitest'
import type { Bridge } from '../../../src/objects/bridge-object.ts'
import { runningCallHeader } from '../../../src/objects/bridge-calls.ts'
import { joinRunningCall } from '../../../src/state/bridge.ts'

const until = (): number => Date.now() + 60_000

/** The object of a new session. */
function openSession(): DurableObjectStub<Bridge> {
  const namespace: unknown = Reflect.get(exports, 'Bridge')
  if (!isNamespace(namespace)) throw new TypeError(`No Bridge, but ${Object.keys(env).join()}.`)
  return namespace.getByName(crypto.randomUUID())
}

function isNamespace(value: unknown): value is DurableObjectNamespace<Bridge> {
  return Object(value) === value && Reflect.has(Object(value), 'getByName')
}

const one = { uri: 'A://b', key: 'a://b' }
const two = { uri: 'c://d', key: 'c://d' }

/** What the object stores, and when its alarm fires. */
const look = (object: DurableObjectStub<Bridge>) =>
  runInDurableObject(object, async (_, { storage }) => ({
    keys: [...storage.kv.list()].map(([key]) => key),
    alarm: await storage.getAlarm(),
  }))

describe('the object of a session', () => {
  test('stores nothing for a session that is only looked at', async () => {
    const object = openSession()
    const nothing = { kind: 'active', version: 0, subscriptions: [] }
    expect(await object.readSession()).toEqual(nothing)
    expect(await object.unsubscribe('c://d', until())).toEqual(nothing)
    await object.cancelCall('x')
    expect(await look(object)).toEqual({ keys: [], alarm: null })
  })

  test('counts the changes of its subscriptions', async () => {
    const object = openSession()
    const limit = until()
    await object.subscribe(one, limit)
    await object.subscribe(two, limit)
    expect(await object.subscribe(one, limit)).toEqual({
      kind: 'active',
      version: 3,
      subscriptions: [two, one],
    })
    expect(await object.unsubscribe(two.uri, limit)).toEqual({
      kind: 'active',
      version: 4,
      subscriptions: [one],
    })
    expect(await look(object)).toEqual({ keys: ['session'], alarm: limit })
  })

  test('refuses what the listener in the hub has no room for', async () => {
    const object = openSession()
    const long = (n: number) => ({ uri: `x://${n}`, key: `x://${n}${'é'.repeat(500)}` })
    const kinds: string[] = []
    for (let n = 0; n < 5; n += 1) {
      // oxlint-disable-next-line no-await-in-loop
      kinds.push((await object.subscribe(long(n), until())).kind)
    }
    expect(kinds).toEqual(['active', 'active', 'active', 'full', 'full'])
  })

  test('knows that the session has ended until its age limit', async () => {
    const object = openSession()
    await object.subscribe(one, until())
    await object.endSession(until())
    expect(await object.readSession()).toEqual({ kind: 'ended' })
    expect(await object.subscribe(one, until())).toEqual({ kind: 'ended' })
    expect(await runDurableObjectAlarm(object)).toBe(true)
    expect((await look(object)).keys).toEqual(['session'])
  })

  test('deletes everything at the age limit', async () => {
    const object = openSession()
    await object.subscribe(one, Date.now() + 20)
    await scheduler.wait(50)
    expect(await object.readSession()).toMatchObject({ version: 0, subscriptions: [] })
    await runDurableObjectAlarm(object)
    expect(await look(object)).toEqual({ keys: [], alarm: null })
  })
})

describe('a running call', () => {
  test('is told of its cancellation, and of no other', async () => {
    const object = openSession()
    const cancel = vi.fn<() => void>()
    const leave = await joinRunningCall(object, 'mine', 0, cancel)
    await object.cancelCall('other')
    await scheduler.wait(50)
    expect(cancel).not.toHaveBeenCalled()
    await object.cancelCall('mine')
    await vi.waitUntil(() => cancel.mock.calls.length > 0)
    leave()
  })

  test('is told of a cancellation that came first, but not of one before it began', async () => {
    const object = openSession()
    await object.cancelCall('mine')
    await scheduler.wait(1_200)
    const [young, old] = [vi.fn<() => void>(), vi.fn<() => void>()]
    const leave = [
      await joinRunningCall(object, 'mine', 0, young),
      await joinRunningCall(object, 'mine', 1_000, old),
    ]
    await vi.waitUntil(() => old.mock.calls.length > 0)
    expect(young).not.toHaveBeenCalled()
    leave.forEach((close) => close())
  })

  test('is told of the end of its session, also if it ended first', async () => {
    const object = openSession()
    const [first, second, other] = [vi.fn<() => void>(), vi.fn<() => void>(), vi.fn<() => void>()]
    const leave = [
      await joinRunningCall(object, 'first', 0, first),
      await joinRunningCall(openSession(), 'other', 0, other),
    ]
    await object.endSession(until())
    leave.push(await joinRunningCall(object, 'second', 0, second))
    await expect.poll(() => first.mock.calls).toEqual([['ended']])
    await expect.poll(() => second.mock.calls).toEqual([['ended']])
    expect(other).not.toHaveBeenCalled()
    leave.forEach((close) => close())
  })

  test('leaves no socket behind', async () => {
    const object = openSession()
    const leave = await joinRunningCall(object, 'mine', 0, () => {})
    const count = () => runInDurableObject(object, (_, state) => state.getWebSockets().length)
    expect(await count()).toBe(1)
    leave()
    await expect.poll(count).toBe(0)
  })

  test.each(['', 'mine', '-1 mine'])('is refused with the header %j', async (header) => {
    const headers = { Upgrade: 'websocket', [runningCallHeader]: header }
    const response = await openSession().fetch('https://bridge/', { headers })
    expect(response.status).toBe(400)
  })
})
