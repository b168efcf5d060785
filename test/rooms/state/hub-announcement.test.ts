import { describe, expect, test } from 'vitest'
import { createAnnouncer } from '../../../src/state/hub.ts'
import { announce, isNews, nothingAnnounced } from '../../../src/objects/hub-object.ts'
import { hubShard, listen, methodOf } from './hub-client.ts'

const notifications = { toolsListChanged: true, resourcesListChanged: true }
const everyList = ['notifications/tools/list_changed', 'notifications/resources/list_changed']

describe('in the hub', () => {
  test('the first registry of all is no news', async () => {
    const listening = await listen({ notifications, digest: 'first' })
    expect(await listening.during(200)).toEqual([])
    await listening.leave()
  })

  test('everyone hears of a new registry once, and of a known one never', async () => {
    const listening = await listen({ notifications, digest: 'first' })
    expect(await hubShard().announce('second')).toBe(true)
    expect(await hubShard().announce('second')).toBe(false)
    expect(await hubShard().announce('first')).toBe(false)
    expect((await listening.during(300)).map(methodOf)).toEqual(everyList)
    await listening.leave()
  })

  test('who comes back after a deploy is told once, the one that brought the news too', async () => {
    const [first, ...others] = [
      await listen({ notifications, digest: 'third' }),
      await listen({ notifications, digest: 'third' }),
      await listen({ notifications: { toolsListChanged: true }, digest: 'first' }),
    ]
    expect((await first.during(300)).map(methodOf)).toEqual(everyList)
    const told = await Promise.all(others.map(({ during }) => during(300)))
    expect(told.map((messages) => messages.map(methodOf))).toEqual([everyList, [everyList[0]]])
    await Promise.all([first, ...others].map(({ leave }) => leave()))
  })
})

describe('the rules', () => {
  test('versions that are served side by side announce themselves once each', () => {
    const blue = announce(nothingAnnounced, 'blue', 1_000)
    const green = announce(blue ?? nothingAnnounced, 'green', 2_000)
    expect(green).toEqual({ digests: ['green', 'blue'], since: 2_000 })
    expect(announce(green ?? nothingAnnounced, 'blue', 3_000)).toBeNull()
  })

  test('what is remembered does not grow without bound', () => {
    let announced = nothingAnnounced
    for (let n = 0; n < 100; n += 1) announced = announce(announced, `v${n}`, n) ?? announced
    expect(announced.digests).toHaveLength(16)
    expect(announced.digests[0]).toBe('v99')
  })

  test('an announcement is news for a minute', () => {
    expect(isNews({ digests: [], since: 1_000_000 }, 1_059_999)).toBe(true)
    expect(isNews({ digests: [], since: 1_000_000 }, 1_060_000)).toBe(false)
  })
})

describe('in the Worker', () => {
  test('an isolate tells the hub once, and again only where that failed', async () => {
    const calls: string[] = []
    const announceVersion = createAnnouncer('v1')
    const toHub = (result: () => Promise<boolean>) => ({
      announce(digest: string) {
        calls.push(digest)
        return result()
      },
    })
    await announceVersion(() => toHub(() => Promise.reject(new Error('out of reach'))))
    await announceVersion(() => toHub(() => Promise.resolve(true)))
    await announceVersion(() => toHub(() => Promise.resolve(true)))
    expect(calls).toEqual(['v1', 'v1'])
  })
})
