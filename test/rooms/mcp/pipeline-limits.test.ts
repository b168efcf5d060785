import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { toCacheUrl } from '../../../src/cache/cache-key.ts'
import type { CacheStore } from '../../../src/cache/read-through.ts'
import { ToolError } from '../../../src/define/reply.ts'
import { defineTool } from '../../../src/define/tool.ts'
import type { Outcome } from '../../../src/protocol/outcome.ts'
import type { Duration } from '../../../src/util/duration.ts'
import { answer, type CallChanges, createCall, createSettings } from './test-call.ts'
import { createWatchedWorker, type Note, type WatchedWorker } from './watched-worker.ts'
import { noted } from './work-kinds.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => vi.restoreAllMocks())

const description = 'A tool of this test.'
const limit = { tokens: 5, per: '1m' } as const

describe('a lease among parallel calls', () => {
  const never = (): Promise<string> => new Promise(() => {})
  const gone = new AbortController()

  test.each<[string, () => string | Promise<string>, RegExp]>([
    ['when run returns', () => 'done', /done/],
    [
      'when run throws a ToolError',
      () => {
        throw new ToolError('Closed.')
      },
      /Closed\..*isError/,
    ],
    ['when run rejects', () => Promise.reject(new Error('fault')), /Error id/],
  ])('is released before the result is sent %s', async (_when, run, ends) => {
    const slow = defineTool({ description, parallel: 2, run })
    const { settings, steps } = createWatchedWorker(() => ({ slow }))
    const call = createCall(settings, 'tools/call', { name: 'slow' })
    expect(JSON.stringify(await answer(call))).toMatch(ends)
    expect(steps).toEqual(['load', 'begin', 'end'])
  })

  test.each<[string, Duration, CallChanges, RegExp]>([
    ['at its time limit', '20ms', {}, /did not finish within 20ms/],
    ['when the client goes', '30s', { signal: gone.signal }, /closed its connection/],
  ])('is held by work that ignores its signal %s', async (_when, timeout, changes, ends) => {
    const slow = defineTool({ description, parallel: 2, timeout, run: never })
    const { settings, steps } = createWatchedWorker(() => ({ slow }))
    gone.abort()
    const call = createCall(settings, 'tools/call', { name: 'slow' }, changes)
    const began = Date.now()
    expect(JSON.stringify(await answer(call))).toMatch(ends)
    expect(steps).toEqual(['load', 'begin'])
    await vi.waitFor(() => expect(steps).toEqual(['load', 'begin', 'end']), 5_000)
    // the platform has ended the work by now, because nothing waits for it any more
    expect(Date.now() - began).toBeGreaterThan(400)
  })

  test('is released as soon as work that was stopped ends', async () => {
    const slow = defineTool({
      description,
      parallel: 2,
      timeout: '20ms',
      run: ({ signal }) => scheduler.wait(60_000, { signal }).then(() => 'late'),
    })
    const { settings, steps } = createWatchedWorker(() => ({ slow }))
    const began = Date.now()
    await answer(createCall(settings, 'tools/call', { name: 'slow' }))
    await vi.waitFor(() => expect(steps).toContain('end'), { timeout: 5_000, interval: 10 })
    expect(Date.now() - began).toBeLessThan(400)
  })

  test('and is not taken for a tool whose module cannot be imported', async () => {
    const { settings, steps } = createWatchedWorker(() => ({
      slow: defineTool({ description, parallel: 1, run: () => 'done' }),
    }))
    const load = () => Promise.reject(new Error('no module'))
    Object.assign(settings.entries.tools.get('slow') ?? {}, { load })
    const outcome = await answer(createCall(settings, 'tools/call', { name: 'slow' }))
    expect(JSON.stringify(outcome)).toMatch(/Error id/)
    expect(steps).toEqual([])
  })
})

describe('a Worker without Durable Objects', () => {
  test.each([
    ['limit', { limit }],
    ['limit of all callers', { limit: { ...limit, by: 'all' } }],
    ['parallel', { parallel: 1 }],
  ] as const)(
    'fails a call of a tool with `%s`, which it could never count',
    async (_, options) => {
      const log = vi.spyOn(console, 'error').mockImplementation(() => {})
      const run = vi.fn<() => string>(() => 'ran')
      const tool = defineTool({ description, run })
      const settings = createSettings(
        { slow: { ...tool, definition: { ...tool.definition, ...options } } },
        { limits: { windows: new Map(), whenUnreachable: 'allow' } },
      )
      const call = createCall(settings, 'tools/call', { name: 'slow' }, { exports: {} })
      expect(JSON.stringify(await answer(call))).toContain('a fault on the server')
      expect(run).not.toHaveBeenCalled()
      expect(log.mock.calls.join()).toContain('it has no Durable Object class `Handles`')
    },
  )
})

describe('a tool with `cache`', () => {
  const cached = { isHit: true, ageSeconds: 1, ttlMs: 60_000 }
  const hit: CacheStore = {
    get: async () => ({ kind: 'result', members: '"content":[]', cached }),
    purge: async () => {},
  }

  function createCached(store: CacheStore | null = null): WatchedWorker {
    const make = (note: Note) => ({
      find: defineTool({
        description,
        cache: '1m',
        hints: { readOnly: true },
        input: z.object({ what: noted(note) }),
        limit,
        parallel: 2,
        run() {
          note('run')
          return 'found'
        },
      }),
    })
    return createWatchedWorker(make, {}, { store })
  }

  const find = (settings: WatchedWorker['settings'], what = 'good'): Promise<Outcome> =>
    answer(createCall(settings, 'tools/call', { name: 'find', arguments: { what } }))

  test('counts every call, the ones that the cache answers included', async () => {
    const { settings, steps, counted } = createCached(hit)
    expect(await find(settings)).toMatchObject({ cached })
    expect(await find(settings)).toMatchObject({ cached })
    expect(steps).toEqual(['load', 'begin', 'count', 'end', 'begin', 'count', 'end'])
    expect(counted).toHaveLength(2)
  })

  test('is checked and run once where the cache has nothing, and counted once', async () => {
    const { settings, steps } = createCached()
    expect(JSON.stringify(await find(settings))).toContain('found')
    expect(steps).toEqual(['load', 'begin', 'count', 'check', 'run', 'end'])
  })

  test('does not run with invalid input', async () => {
    const { settings, steps } = createCached()
    expect(JSON.stringify(await find(settings, 'bad'))).toMatch(/find was not run/)
    expect(steps).toEqual(['load', 'begin', 'count', 'check', 'end'])
  })

  test('runs for a request that brings answers, past the cache', async () => {
    const get = vi.fn<CacheStore['get']>(async () => null)
    const { settings, steps } = createCached({ get, purge: async () => {} })
    const params = { name: 'find', arguments: { what: 'good' }, inputResponses: {} }
    const outcome = await answer(createCall(settings, 'tools/call', params))
    expect(JSON.stringify(outcome)).toContain('found')
    expect(get).not.toHaveBeenCalled()
    expect(steps).toEqual(['load', 'begin', 'count', 'check', 'run', 'end'])
  })

  test('is neither counted nor limited where its result is made for the cache', async () => {
    const { settings, steps } = createCached()
    const input = { what: 'good' }
    const url = toCacheUrl({ method: 'tools/call', name: 'find', input })
    const site = { env: createCall().env, exports: {}, waitUntil: () => {} }
    const filled = await settings.compute(url, { caller: null }, site)
    expect(JSON.stringify(filled?.outcome)).toContain('found')
    expect(steps).toEqual(['load', 'check', 'run'])
  })
})
