import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { defineResource } from 'helve'
import {
  modes,
  anonymous,
  runsOf,
  serve,
  textOf,
  toThing,
  things,
  turn,
  type Mode,
} from './crossing-stage.ts'

// server/utilities/caching, "Interaction with Notifications"

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-01T12:00:00Z'), toFake: ['Date'] })
  for (const name of ['error', 'warn'] as const)
    vi.spyOn(console, name).mockImplementation(() => {})
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const pass = (seconds: number): void => void vi.setSystemTime(Date.now() + seconds * 1_000)

describe.each(modes)('with cache: %j', (mode) => {
  test('a purge reaches what it names, and nothing else', async () => {
    const server = serve(mode)
    const purge = server.worker.purge(server.context()[1].exports)
    const names = Object.keys(things)
    const runs = async () => {
      const replies = await Promise.all(names.map((name) => server.ask(toThing(name), 'ada-1')))
      const found = replies.map(runsOf)
      return new Map(names.map((name, index) => [name, found[index]]))
    }
    let before = await runs()
    const changed = async (what: Parameters<typeof purge>[0]): Promise<readonly string[]> => {
      pass(0.001)
      await purge(what)
      pass(0.001)
      const after = await runs()
      const different = names.filter((name) => before.get(name) !== after.get(name))
      before = after
      return different
    }
    expect(await changed({ tools: ['ours'] })).toEqual(['a shared tool'])
    expect(await changed({ resources: ['it://shared'] })).toEqual(['a shared resource'])
    expect(await changed({ resources: ['it://shared/{id}'] })).toEqual(['a shared template'])
    expect(await changed({ resources: ['it://private/1'] })).toEqual(['a private template'])
    expect(await changed({ resources: ['it://private/2'] })).toEqual([])
    expect(await changed({ lists: true })).toEqual(['a list with guarded and shared rows'])
    expect(await changed({ tools: 'all' })).toEqual(names.filter((name) => name.includes('tool')))
    expect(await changed('everything')).toEqual(names)
  })

  test('a purge of what is not there is refused, with the names that there are', async () => {
    const server = serve(mode)
    const purge = server.worker.purge(server.context()[1].exports)
    await expect(purge({ tools: ['none'] })).rejects.toThrow(
      /^Nothing was purged\. There is no tool none\. There are: .*ours/,
    )
    await expect(purge({ resources: ['it://none'] })).rejects.toThrow(
      'No resource serves it://none',
    )
    await expect(purge({})).rejects.toThrow('Nothing was purged. The purge names nothing.')
  })

  test('notify purges for every caller before it notifies', async () => {
    const server = serve(mode)
    const ask = (who: string) => server.ask(toThing('a private resource'), who).then(runsOf)
    const askAll = () => Promise.all(['ada-1', 'bob-1', 'bob-2'].map(ask))
    const notified: string[][] = []
    // clients that are notified read at once
    const publish = async (): Promise<void> => {
      pass(0.001)
      notified.push(await askAll())
    }
    const Hub = Object.assign(() => {}, { getByName: () => ({ publish }) })
    const { Listings } = Object(server.context()[1].exports)
    const notify = server.worker.notify({ Listings, Hub })
    expect(await askAll()).toEqual(['run-1', 'run-2', 'run-3'])
    pass(0.001)
    await notify.resourceUpdated('it://other')
    await notify.resourcesChanged()
    await notify.toolsChanged()
    await notify.resourceUpdated('it://private')
    const same = ['run-1', 'run-2', 'run-3']
    expect(notified).toEqual([same, same, same, ['run-4', 'run-5', 'run-6']])
    // a purge that is refused does not stop the notification
    server.edge.refusePurges([{ code: 1, message: 'Too many.' }])
    await notify.resourceUpdated('it://private')
    expect(notified).toHaveLength(5)
  })

  test('a result that was begun before a purge is not served after it', async () => {
    const { server, began, open, purge, change } = createSlowPage(mode)
    const read = () => server.ask(readPage, anonymous)
    const first = read()
    await began
    pass(0.001)
    change()
    await purge()
    pass(0.001)
    const second = read()
    await turn()
    open()
    await first
    expect([textOf(await second), textOf(await read())]).toEqual(['new', 'new'])
  })

  test('a purge in the millisecond in which a result was begun reaches it', async () => {
    const { server, began, open, purge, change } = createSlowPage(mode)
    const first = server.ask(readPage, anonymous)
    await began
    change()
    await purge()
    open()
    await first
    expect(textOf(await server.ask(readPage, anonymous))).toBe('new')
  })
})

const readPage = { method: 'resources/read', params: { uri: 'it://page', name: 'it://page' } }

/** A page whose first read is slow, and reads before it waits, as a database does. */
function createSlowPage(mode: Mode) {
  let content = 'old'
  const gate = Promise.withResolvers<void>()
  const began = Promise.withResolvers<void>()
  const server = serve(mode, {
    page: defineResource({
      uri: 'it://page',
      mime: 'text/plain',
      cache: '5m',
      shared: true,
      async read() {
        const text = content
        began.resolve()
        if (text === 'old') await gate.promise
        return text
      },
    }),
  })
  return {
    server,
    began: began.promise,
    open: gate.resolve,
    purge: () => server.worker.purge(server.context()[1].exports)({ resources: ['it://page'] }),
    change: () => void (content = 'new'),
  }
}
