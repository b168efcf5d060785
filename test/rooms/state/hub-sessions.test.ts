import { evictAllDurableObjects } from 'cloudflare:test'
import { afterEach, expect, test } from 'vitest'
import {
  type Delivery,
  type Listener,
  readListener,
  toListenerText,
} from '../../../src/objects/hub-listener.ts'
import { createHub } from '../../../src/state/hub.ts'
import { hubShard } from './hub-client.ts'

const session = 'f81d4fae'
const hub = createHub({ namespace: { getByName: () => hubShard() }, shards: 1 })

const listener: Listener = {
  lists: [],
  uris: [],
  scopes: [],
  until: Date.now() + 60_000,
  digest: 'v1',
  session,
}

afterEach(() => evictAllDurableObjects({ webSockets: 'close' }))

/** Joins, and keeps what is delivered. */
async function join(changes: Partial<Listener> = {}, most = 64) {
  const connection = await hub.join({ ...listener, ...changes }, { digest: 'ann', most })
  if (connection === null) throw new Error('The hub is full.')
  const deliveries: Delivery[] = []
  const over = connection.forward((delivery) => deliveries.push(delivery))
  return { connection, deliveries, over }
}

const publish = (uri: string) => hub.publish({ kind: 'resource-updated', uri, needs: [] })

test('the newer stream of a session wins, and counts as one', async () => {
  const first = await join({}, 1)
  const second = await join({}, 1)
  expect(await first.over).toBe(true)
  await hub.endSession('another')
  second.connection.close()
  expect(await second.over).toBe(false)
})

test('streams of different sessions, or of none, stay', async () => {
  const { session: _, ...none } = listener
  const owner = { digest: 'ann', most: 64 }
  const loose = await hub.join(none, owner)
  const [one, other] = [await join(), await join({ session: 'another' })]
  await hub.endSession(session)
  expect(await one.over).toBe(true)
  await hub.updateSession('another', { uris: ['a://b'], version: 1 })
  await publish('a://b')
  await expect.poll(() => other.deliveries).toEqual([{ lists: [], uris: ['a://b'], version: 1 }])
  other.connection.close()
  loose?.close()
})

test('an older version of the subscriptions changes nothing', async () => {
  const { connection, deliveries } = await join()
  await hub.updateSession(session, { uris: ['new://x'], version: 2 })
  await hub.updateSession(session, { uris: ['old://x'], version: 1 })
  await publish('old://x')
  await publish('new://x')
  await expect.poll(() => deliveries).toEqual([{ lists: [], uris: ['new://x'], version: 2 }])
  connection.close()
})

test('the text of a listener has its session and version', () => {
  const all = { ...listener, version: 3 }
  expect(readListener(toListenerText(all))).toEqual(all)
  const { session: _, ...none } = listener
  expect(readListener(toListenerText(none))).toEqual(none)
})
