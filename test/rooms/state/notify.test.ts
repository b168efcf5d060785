import { afterEach, beforeEach, describe, expect, test, vi, type MockInstance } from 'vitest'
import type { Notify, Purge } from '../../../src/define/contexts.ts'
import type { HubClient } from '../../../src/state/hub.ts'
import { WorkerLog } from '../../../src/out/log.ts'
import { createSanitizer } from '../../../src/out/sanitizer.ts'
import { createNotify } from '../../../src/state/notify.ts'
import { createState } from '../../../src/state/state.ts'

let notices: MockInstance<typeof console.warn>
beforeEach(() => {
  notices = vi.spyOn(console, 'warn').mockReturnValue()
})
afterEach(() => notices.mockRestore())

const log = (): WorkerLog => new WorkerLog(createSanitizer([]))

const unused = (): Promise<never> => Promise.reject(new Error('not asked for'))

/** Notifications, and the purges and events that they cause, in order. */
function createStage(purge: Purge = async () => {}) {
  const steps: unknown[] = []
  const hub: HubClient = {
    publish: async (event) => void steps.push(event),
    join: unused,
    stateKey: unused,
    announce: unused,
    updateSession: unused,
    endSession: unused,
  }
  const notify = createNotify({
    hub: () => hub,
    purge: async (what) => {
      steps.push({ purged: what })
      await purge(what)
    },
    toResourceKey: (uri) => uri.toLowerCase(),
    log,
  })
  return { notify, steps }
}

type Tell = (notify: Notify) => Promise<void>

const changes: [string, Tell, object, object][] = [
  [
    'tools',
    (notify) => notify.toolsChanged(),
    { tools: 'all' },
    { kind: 'list-changed', list: 'tools', needs: [] },
  ],
  [
    'prompts',
    (notify) => notify.promptsChanged(),
    {},
    { kind: 'list-changed', list: 'prompts', needs: [] },
  ],
  [
    'resources',
    (notify) => notify.resourcesChanged({ scopes: ['shop:read'] }),
    { lists: true },
    { kind: 'list-changed', list: 'resources', needs: ['shop:read'] },
  ],
  [
    'one resource',
    (notify) => notify.resourceUpdated('SHOP://a', { scopes: ['shop:read'] }),
    { resources: ['SHOP://a'] },
    { kind: 'resource-updated', uri: 'shop://a', needs: ['shop:read'] },
  ],
]

describe.each(changes)('a change of %s', (_, tell, purged, event) => {
  test('is purged before listeners are notified', async () => {
    const { notify, steps } = createStage()
    await tell(notify)
    expect(steps).toEqual([{ purged }, event])
  })

  test('is published only when the purge is over', async () => {
    const purging = Promise.withResolvers<void>()
    const { notify, steps } = createStage(() => purging.promise)
    const told = tell(notify)
    // more turns than any step in between could take
    for (let turn = 0; turn < 32; turn += 1) {
      // oxlint-disable-next-line no-await-in-loop
      await Promise.resolve()
    }
    expect(steps).toEqual([{ purged }])
    purging.resolve()
    await told
    expect(steps).toEqual([{ purged }, event])
  })

  test('is published although the purge failed, which is logged', async () => {
    const refused = new Error('The cache was not purged: a few a minute.')
    const { notify, steps } = createStage(() => Promise.reject(refused))
    await tell(notify)
    expect(steps).toEqual([{ purged }, event])
    expect(notices).toHaveBeenCalledTimes(1)
    const [line, error] = notices.mock.lastCall ?? []
    expect(JSON.parse(String(line))).toMatchObject({ level: 'warn', what: 'purge' })
    expect(error).toMatchObject({ message: 'The cache was not purged: a few a minute.' })
  })
})

test('a purge that throws synchronously is logged as well', async () => {
  const { notify, steps } = createStage(() => {
    throw new Error('broken')
  })
  await notify.resourcesChanged()
  expect(steps).toHaveLength(2)
  expect(notices).toHaveBeenCalledTimes(1)
})

test('a purge names resources by the key that caches know, in whatever spelling', async () => {
  const purge = vi.fn<Purge>(async () => {})
  const open = createState({
    shards: 1,
    creators: [],
    openPurge: () => purge,
    checkPurge: () => null,
    toResourceKey: (uri) => uri.toLowerCase(),
  })
  const state = open({ env: {}, exports: {}, callerDigest: null, log: log() })
  await state.purge({ resources: ['SHOP://a', 'shop://b'], lists: true })
  await state.purge('everything')
  expect(purge.mock.calls).toEqual([
    [{ resources: ['shop://a', 'shop://b'], lists: true }],
    ['everything'],
  ])
})

test('a hub that cannot be reached fails the notification, but not the purge', async () => {
  const purge = vi.fn<Purge>(async () => {})
  const hub = (): never => {
    throw new Error('no hub')
  }
  const notify = createNotify({ hub, purge, toResourceKey: (uri) => uri, log })
  await expect(notify.toolsChanged()).rejects.toThrow('no hub')
  expect(purge).toHaveBeenCalledTimes(1)
})

test.each([
  null,
  'shop:write',
  5,
  {},
  { scope: ['a'] },
  { scopes: 'a' },
  { scopes: null },
  { scopes: [1] },
])('an audience that is %j notifies nobody, rather than everybody', async (audience) => {
  const { notify, steps } = createStage(async () => {})
  await expect(Reflect.apply(notify.toolsChanged, null, [audience])).rejects.toThrow(
    'must be an object such as { scopes: ["shop:write"] }',
  )
  await expect(Reflect.apply(notify.resourceUpdated, null, ['shop://a', audience])).rejects.toThrow(
    'Listeners were not notified.',
  )
  expect(steps).toEqual([])
})

test.each([undefined, null, 5, {}])('a URI that is %j is refused', async (uri) => {
  const { notify, steps } = createStage(async () => {})
  await expect(Reflect.apply(notify.resourceUpdated, null, [uri])).rejects.toThrow(
    'Pass the URI as a string.',
  )
  expect(steps).toEqual([])
})
