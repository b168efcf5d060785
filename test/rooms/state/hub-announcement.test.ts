import { describe, expect, test, vi } from 'vitest'
import { Announcer } from '../../../src/state/hub.ts'
import {
  addDigest,
  isRecentAnnouncement,
  noAnnouncements,
} from '../../../src/objects/hub-object.ts'
import { hubShard, listen, methodOf } from './hub-client.ts'

const notifications = { toolsListChanged: true, resourcesListChanged: true }
const everyList = ['notifications/tools/list_changed', 'notifications/resources/list_changed']

describe('in the hub', () => {
  test('the very first registry is not announced', async () => {
    const listening = await listen({ notifications, digest: 'first' })
    expect(await listening.during(200)).toEqual([])
    await listening.leave()
  })

  test('listeners are notified once of a new registry, and never of a known one', async () => {
    const listening = await listen({ notifications, digest: 'first' })
    expect(await hubShard().announce('second')).toBe(true)
    expect(await hubShard().announce('second')).toBe(false)
    expect(await hubShard().announce('first')).toBe(false)
    expect((await listening.during(300)).map(methodOf)).toEqual(everyList)
    await listening.leave()
  })

  test('listeners that return after a deploy are notified once, the first one included', async () => {
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
  test('versions that are served side by side are announced once each', () => {
    const blue = addDigest(noAnnouncements, 'blue', 1_000)
    const green = addDigest(blue ?? noAnnouncements, 'green', 2_000)
    expect(green).toEqual({ digests: ['green', 'blue'], since: 2_000 })
    expect(addDigest(green ?? noAnnouncements, 'blue', 3_000)).toBeNull()
  })

  test('at most 16 digests are remembered', () => {
    let announced = noAnnouncements
    for (let n = 0; n < 100; n += 1) announced = addDigest(announced, `v${n}`, n) ?? announced
    expect(announced.digests).toHaveLength(16)
    expect(announced.digests[0]).toBe('v99')
  })

  test('an announcement is recent for a minute', () => {
    expect(isRecentAnnouncement({ digests: [], since: 1_000_000 }, 1_059_999)).toBe(true)
    expect(isRecentAnnouncement({ digests: [], since: 1_000_000 }, 1_060_000)).toBe(false)
  })
})

describe('in the Worker', () => {
  test('an isolate announces once, and again only where that failed', async () => {
    const digests: string[] = []
    const announcer = new Announcer('v1')
    const toCall = (result: () => Promise<boolean>) => ({
      state: {
        hasHub: true,
        hub: () => ({
          announce(digest: string) {
            digests.push(digest)
            return result()
          },
        }),
      },
    })
    await announcer.announce(toCall(() => Promise.reject(new Error('out of reach'))))
    expect(announcer.isDone).toBe(false)
    const announcing = announcer.announce(toCall(() => Promise.resolve(true)))
    expect(announcer.isDone).toBe(true)
    await announcing
    await announcer.announce(toCall(() => Promise.resolve(true)))
    expect(digests).toEqual(['v1', 'v1'])
  })

  test('a Worker without a hub announces nothing', async () => {
    const announcer = new Announcer('v1')
    const hub = vi.fn<() => { announce: () => Promise<boolean> }>()
    await announcer.announce({ state: { hasHub: false, hub } })
    expect(announcer.isDone).toBe(true)
    expect(hub).not.toHaveBeenCalled()
  })

  test('the state of a call after the announcement is not opened', async () => {
    const announcer = new Announcer('v1')
    await announcer.announce({
      state: { hasHub: true, hub: () => ({ announce: async () => true }) },
    })
    const call = {
      get state(): never {
        throw new Error('opened')
      },
    }
    await announcer.announce(call)
    expect(announcer.isDone).toBe(true)
  })
})
