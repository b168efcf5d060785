import {
  abortAllDurableObjects,
  evictAllDurableObjects,
  evictDurableObject,
  runDurableObjectAlarm,
  runInDurableObject,
} from 'cloudflare:test'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { toBase64Url } from '../../../src/util/bytes.ts'
import { type ListKind, attachMember, readMember } from '../../../src/objects/hub-listener.ts'
import { hubShard, listen, methodOf, open, post } from './hub-client.ts'

const toolsChanged = 'notifications/tools/list_changed'
const resourcesChanged = 'notifications/resources/list_changed'

async function publishList(list: ListKind, needs: readonly string[] = []): Promise<void> {
  await hubShard().publish({ kind: 'list-changed', list, needs })
}

async function publishUpdate(uri: string): Promise<void> {
  await hubShard().publish({ kind: 'resource-updated', uri, needs: [] })
}

/** The listeners that a shard still counts. */
async function countListeners(index = 0): Promise<number> {
  return runInDurableObject(hubShard(index), (_hub, state) => state.getWebSockets().length)
}

/** The first two messages of a subscription to the tools, which change once. */
function toMessages(id: unknown): readonly unknown[] {
  const meta = { 'io.modelcontextprotocol/subscriptionId': id }
  return [
    {
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { _meta: meta, notifications: { toolsListChanged: true } },
    },
    { jsonrpc: '2.0', method: toolsChanged, params: { _meta: meta } },
  ]
}

// the listeners of the test before must not be counted
afterEach(() => evictAllDurableObjects({ webSockets: 'close' }))

describe('deliveries', () => {
  test('three listeners in one isolate get every event', async () => {
    const listeners = await Promise.all([listen(), listen(), listen()])
    await publishList('tools')
    const first = await Promise.all(listeners.map(async ({ next }) => methodOf(await next())))
    await publishList('tools')
    const second = await Promise.all(listeners.map(async ({ next }) => methodOf(await next())))
    expect([...first, ...second]).toEqual(Array(6).fill(toolsChanged))
    await Promise.all(listeners.map(({ leave }) => leave()))
  })

  test('every message carries the id of its request, of the same JSON type', async () => {
    const [numbered, named] = await Promise.all([open({ id: 7 }), open({ id: '7' })])
    await publishList('tools')
    expect([await numbered.next(), await numbered.next()]).toEqual(toMessages(7))
    expect([await named.next(), await named.next()]).toEqual(toMessages('7'))
    await Promise.all([numbered.leave(), named.leave()])
  })

  test('a listener gets only the lists that it subscribed to', async () => {
    const tools = await listen({ notifications: { toolsListChanged: true } })
    const resources = await listen({ notifications: { resourcesListChanged: true } })
    await publishList('resources')
    expect(methodOf(await resources.next())).toBe(resourcesChanged)
    await publishList('tools')
    // a notification of the resources would have come first
    expect(methodOf(await tools.next())).toBe(toolsChanged)
    await Promise.all([tools.leave(), resources.leave()])
  })

  test('an update reaches the subscribers of that URI only', async () => {
    const [one, two] = await Promise.all([
      listen({ notifications: { resourceSubscriptions: ['shop://1', 'shop://ü🫖'] } }),
      listen({ notifications: { resourceSubscriptions: ['shop://2'] } }),
    ])
    await publishUpdate('shop://ü🫖')
    expect(await one.next()).toMatchObject({
      method: 'notifications/resources/updated',
      params: { uri: 'shop://ü🫖' },
    })
    await publishUpdate('shop://2')
    expect(await two.next()).toMatchObject({ params: { uri: 'shop://2' } })
    await Promise.all([one.leave(), two.leave()])
  })

  test('an event that needs a scope does not reach listeners without it', async () => {
    const [reader, writer] = await Promise.all([
      listen({ scopes: ['read'] }),
      listen({ scopes: ['read', 'write'] }),
    ])
    await publishList('tools', ['read', 'write'])
    expect(methodOf(await writer.next())).toBe(toolsChanged)
    expect(await reader.during(200)).toEqual([])
    await Promise.all([reader.leave(), writer.leave()])
  })

  test('a burst of changes is sent as one delivery, with each resource once', async () => {
    const listening = await listen({
      notifications: { toolsListChanged: true, resourceSubscriptions: ['shop://1', 'shop://2'] },
    })
    await Promise.all([
      ...Array.from({ length: 20 }, () => publishList('tools')),
      ...Array.from({ length: 20 }, (_, n) => publishUpdate(`shop://${1 + (n % 2)}`)),
    ])
    expect((await listening.during(400)).map(methodOf)).toEqual([
      toolsChanged,
      'notifications/resources/updated',
      'notifications/resources/updated',
    ])
    await listening.leave()
  })

  test('a hub that was evicted still notifies its listeners', async () => {
    const listening = await listen()
    await evictDurableObject(hubShard())
    await publishList('tools')
    expect(methodOf(await listening.next())).toBe(toolsChanged)
    await listening.leave()
  })

  test('one publish reaches 1,000 listeners', async () => {
    const listeners = await Promise.all(Array.from({ length: 1_000 }, () => listen()))
    expect(await countListeners()).toBe(1_000)
    await publishList('tools')
    const messages = await Promise.all(listeners.map(async ({ next }) => methodOf(await next())))
    expect(messages.filter((method) => method === toolsChanged)).toHaveLength(1_000)
    await Promise.all(listeners.map(({ leave }) => leave()))
  }, 30_000)
})

const toQuick = (ms: number): number => (ms > 3_590_000 && ms <= 3_600_000 ? 300 : ms)

describe('how a stream ends', () => {
  const end = [
    { method: 'notifications/cancelled', params: { requestId: 1 } },
    {
      id: 1,
      result: {
        resultType: 'complete',
        _meta: { 'io.modelcontextprotocol/subscriptionId': 1 },
      },
    },
    null,
  ]

  test('at its age limit it ends with a result', async () => {
    const schedule = globalThis.setTimeout
    const spy = vi.spyOn(globalThis, 'setTimeout')
    // an hour passes in 300 ms
    spy.mockImplementation((run, ms = 0, ...rest) => schedule(run, toQuick(ms), ...rest))
    const listening = await listen()
    spy.mockRestore()
    const messages = [await listening.next(), await listening.next(), await listening.next()]
    expect(messages).toMatchObject(end)
  })

  test('when the credentials of its caller expire it ends with a result', async () => {
    const listening = await listen({ expires: Date.now() + 300 })
    const messages = [await listening.next(), await listening.next(), await listening.next()]
    expect(messages).toMatchObject(end)
  })

  test.for([
    ['is restarted by a deploy', () => evictDurableObject(hubShard(), { webSockets: 'close' })],
    ['breaks down', () => abortAllDurableObjects()],
  ] as const)('when the hub %s it ends with a result', async ([, stop]) => {
    const listening = await listen()
    await stop()
    const messages = [await listening.next(), await listening.next(), await listening.next()]
    expect(messages).toMatchObject(end)
  })

  test('the hub does not count a client that left', async () => {
    const listening = await listen()
    expect(await countListeners()).toBe(1)
    await listening.leave()
    await expect.poll(() => countListeners()).toBe(0)
  })

  test('a reader that falls behind is cancelled, and the others still get events', async () => {
    const uris = Array.from({ length: 90 }, (_, n) => `shop://${n}/${'x'.repeat(100)}`)
    const rounds = 15
    const [slow, quick] = await Promise.all([
      listen({ notifications: { resourceSubscriptions: uris } }),
      listen(),
    ])
    await runInDurableObject(hubShard(), async (hub) => {
      for (let round = 0; round < rounds; round += 1) {
        for (const uri of uris) hub.publish({ kind: 'resource-updated', uri, needs: [] })
        // oxlint-disable-next-line no-await-in-loop -- until the window has closed
        await scheduler.wait(120)
      }
    })
    await publishList('tools')
    expect(methodOf(await quick.next())).toBe(toolsChanged)
    const messages = await slow.during(1_000)
    expect(messages.slice(-2)).toMatchObject(end.slice(0, 2))
    expect(messages.length).toBeLessThan(uris.length * rounds)
    await quick.leave()
  }, 15_000)

  test('a listener without keep-alives is closed, and the others are kept', async () => {
    const [vanished, alive] = await Promise.all([listen({ scopes: ['vanished'] }), listen()])
    await runInDurableObject(hubShard(), (_hub, state) => {
      const members = state.getWebSockets().map(readMember)
      const member = members.find((one) => one?.listener.scopes.includes('vanished')) ?? null
      if (member !== null) attachMember({ ...member, joined: Date.now() - 31_000 })
    })
    expect(await runDurableObjectAlarm(hubShard())).toBe(true)
    expect(methodOf(await vanished.next())).toBe('notifications/cancelled')
    await expect.poll(() => countListeners()).toBe(1)
    await publishList('tools')
    expect(methodOf(await alive.next())).toBe(toolsChanged)
    await alive.leave()
  })

  test('the alarm is set while there are listeners, and not after the last', async () => {
    const listening = await listen()
    expect(await runDurableObjectAlarm(hubShard())).toBe(true)
    expect(await runDurableObjectAlarm(hubShard())).toBe(true)
    await listening.leave()
    await expect.poll(() => countListeners()).toBe(0)
    expect(await runDurableObjectAlarm(hubShard())).toBe(true)
    expect(await runDurableObjectAlarm(hubShard())).toBe(false)
  })
})

describe('shards', () => {
  test('listeners spread over the shards, and each gets every event', async () => {
    const listeners = await Promise.all(
      Array.from({ length: 80 }, (_, index) => listen({ shards: 4, subject: `caller ${index}` })),
    )
    const counts = await Promise.all([1, 2, 3].map(countListeners))
    expect(counts.filter((count) => count > 0)).toHaveLength(3)
    await post('/publish', { shards: 4 })
    const messages = await Promise.all(listeners.map(async ({ next }) => methodOf(await next())))
    expect(messages).toEqual(Array(80).fill(toolsChanged))
    await Promise.all(listeners.map(({ leave }) => leave()))
  })
})

describe('the listeners of one caller', () => {
  const request = { id: 1, notifications: { toolsListChanged: true }, perCaller: 2 }

  test('are as many as one may have, however many shards there are', async () => {
    const shards = 4
    const open = await Promise.all([1, 2].map(() => listen({ perCaller: 2, shards })))
    const refused = await post('/', { ...request, shards })
    expect(refused.status).toBe(429)
    expect(refused.headers.get('Retry-After')).toBe('30')
    expect(await refused.json()).toMatchObject({
      id: 1,
      error: {
        code: 429,
        message: expect.stringMatching(/^You have 2 open streams of notifications/),
      },
    })
    const other = await listen({ perCaller: 2, shards, subject: 'bob' })
    await Promise.all([...open, other].map(({ leave }) => leave()))
  })

  test('are counted while the hub hibernates, and not when they have left', async () => {
    const [stays, goes] = await Promise.all([listen({ perCaller: 2 }), listen({ perCaller: 2 })])
    await evictDurableObject(hubShard(), { webSockets: 'hibernate' })
    expect((await post('/', request)).status).toBe(429)
    await goes.leave()
    await expect.poll(() => countListeners()).toBe(1)
    const next = await listen({ perCaller: 2 })
    await Promise.all([stays, next].map(({ leave }) => leave()))
  })

  test('are not counted without keep-alives, even before they are closed', async () => {
    const vanished = await Promise.all([1, 2].map(() => listen({ perCaller: 2 })))
    await runInDurableObject(hubShard(), (_hub, state) => {
      for (const member of state.getWebSockets().map(readMember)) {
        if (member !== null) attachMember({ ...member, joined: Date.now() - 31_000 })
      }
    })
    const next = await post('/', request)
    expect(next.status).toBe(200)
    await next.body?.cancel()
    await Promise.all(vanished.map(({ leave }) => leave()))
  })
})

describe('the key', () => {
  test('the hub creates its key once, and it survives a restart', async () => {
    const key = await hubShard().stateKey()
    expect(key).toHaveLength(32)
    await evictDurableObject(hubShard())
    expect(await hubShard().stateKey()).toEqual(key)
  })

  test('concurrent requests get the same key', async () => {
    const key = toBase64Url(await hubShard().stateKey())
    const responses = await Promise.all(Array.from({ length: 10 }, () => post('/keys', {})))
    const keys = await Promise.all(responses.map((response) => response.text()))
    expect(keys).toEqual(Array(10).fill(JSON.stringify([key])))
  })
})
