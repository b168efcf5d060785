import { afterEach, beforeEach, describe, expect, test, vi, type MockInstance } from 'vitest'
import type { PurgeResult } from '../../../src/cache/workers-store.ts'
import { PurgeTimes } from '../../../src/cache/purge.ts'
import type { CacheLookup } from '../../../src/cache/read-through.ts'
import { toStoredResponse, toUnknownKeyResponse } from '../../../src/cache/stored-response.ts'
import { WorkersStore } from '../../../src/cache/workers-store.ts'
import type { Purged } from '../../../src/define/contexts.ts'
import { type Outcome, fail, toMembers } from '../../../src/protocol/outcome.ts'
import { toCacheContext } from './cache-context.ts'

const same = (what: Purged): Purged => what
const createStore = (narrow = same, times = new PurgeTimes()) => new WorkersStore(narrow, times)

describe('a look-up in Workers Cache', () => {
  const madeAt = Date.parse('2026-12-01T12:00:00Z')

  let warnings: MockInstance<typeof console.warn>
  beforeEach(() => {
    warnings = vi.spyOn(console, 'warn').mockReturnValue()
    vi.useFakeTimers({ now: madeAt + 7_500, toFake: ['Date'] })
  })
  afterEach(() => {
    warnings.mockRestore()
    vi.useRealTimers()
  })

  const url = 'https://listings.invalid/resources/read?uri=shop%3A%2F%2Fa'
  const outcome: Outcome = { kind: 'result', members: toMembers({ contents: [] }) }
  const lookup: CacheLookup = {
    request: { method: 'resources/read', uri: 'shop://a' },
    partition: { caller: { subject: 'ada', scopes: [], claims: {} } },
    lifetime: { ttlMs: 60_000, staleMs: 0, tags: ['uri:a'] },
  }
  const { lifetime } = lookup

  /** `ctx.exports` of a Worker whose `Listings` answers like this, and what it was called with. */
  function createStage(answer: (status: string | null) => Response, status: string | null = null) {
    const fetch = vi.fn<(...request: unknown[]) => Promise<Response>>(async () => {
      const response = answer(status)
      if (status !== null) response.headers.set('Cf-Cache-Status', status)
      return response
    })
    const Listings = vi.fn<(...options: unknown[]) => object>(() => ({ fetch }))
    const get = () => createStore().get(url, lookup, toCacheContext({ exports: { Listings } }))
    return { fetch, Listings, get }
  }

  const fresh = (): Response => toStoredResponse({ outcome, lifetime }, madeAt)

  test('sends the URL and the partition, and nothing else of the call', async () => {
    const { Listings, fetch } = createStage(fresh)
    const headers = new Headers({
      Authorization: 'Bearer token',
      Cookie: 'session=1',
      'X-Forwarded-Host': 'evil.example',
    })
    const context = Object.assign(toCacheContext({ exports: { Listings } }), { headers })
    await createStore().get(url, lookup, context)
    expect(Listings.mock.calls).toEqual([[{ props: lookup.partition }]])
    expect(fetch.mock.calls).toEqual([[url]])
  })

  test.each([
    ['HIT', true],
    ['UPDATING', true],
    ['STALE', true],
    ['REVALIDATED', true],
    ['MISS', false],
    ['EXPIRED', false],
    ['BYPASS', false],
    ['DYNAMIC', false],
    ['NONE/UNKNOWN', false],
    [null, false], // no cache stands before the entrypoint, as locally
  ])('with Cf-Cache-Status %s is a hit: %s', async (status, isHit) => {
    expect(await createStage(fresh, status).get()).toEqual({
      ...outcome,
      cached: { isHit, ageSeconds: 7, ttlMs: 60_000 },
    })
  })

  test('returns a failure as a failure', async () => {
    const failure = fail({ kind: 'resource-not-found', why: 'Not found.', uri: 'shop://a' })
    const { get } = createStage(() => toStoredResponse({ outcome: failure, lifetime }, madeAt))
    expect(await get()).toEqual(failure)
  })

  test('throws for a response that Helve did not make', async () => {
    const { get } = createStage(toUnknownKeyResponse)
    await expect(get()).rejects.toThrow('Listings has no result for resources/read.')
  })

  test('throws where the entrypoint cannot be reached', async () => {
    const { get } = createStage(() => {
      throw new Error('overloaded')
    })
    await expect(get()).rejects.toThrow('overloaded')
  })

  test.each([[undefined], [null], [{}], [{ Listings: null }], [{ Listings: {} }]])(
    'returns null without an entrypoint, as in %j',
    async (exports) => {
      expect(await createStore().get(url, lookup, toCacheContext({ exports }))).toBeNull()
    },
  )

  test('warns once of a missing entrypoint, with what to do', async () => {
    const store = createStore()
    await store.get(url, lookup, toCacheContext({ exports: {} }))
    await store.get(url, lookup, toCacheContext({ exports: {} }))
    expect(warnings).toHaveBeenCalledTimes(1)
    const [line] = warnings.mock.lastCall ?? []
    expect(JSON.parse(String(line))).toMatchObject({
      what: 'cache',
      detail: expect.stringContaining('`export const { Listings } = worker`'),
    })
  })
})

describe('a purge of Workers Cache', () => {
  const limit = { code: 1_134, message: 'You have reached the purge limit.' }

  /** `ctx.exports` of a Worker whose `Listings` answers a purge like this. */
  function createStage(result: PurgeResult = { success: true, errors: [] }) {
    const purge = vi.fn<(tags: unknown) => Promise<PurgeResult>>(async () => result)
    const Listings = vi.fn<(options: unknown) => object>(() => ({ purge }))
    return { purge, Listings, exports: { Listings } }
  }

  test('calls the entrypoint that stores, by tags and in no partition', async () => {
    const { purge, Listings, exports } = createStage()
    await createStore().purge({ tools: ['add'], lists: true }, exports)
    expect(Listings.mock.calls).toEqual([[{ props: {} }]])
    expect(purge.mock.calls).toEqual([[['tool:add', 'resources']]])
  })

  test('is remembered, for results that were begun before it and are stored after it', async () => {
    const times = new PurgeTimes()
    const began = Date.now()
    await createStore(same, times).purge({ tools: ['add'] }, createStage().exports)
    expect(times.last(['tool:add'])).toBeGreaterThanOrEqual(began)
    expect(times.last(['tool:subtract'])).toBe(0)
  })

  test('is narrowed to what may be cached', async () => {
    const { purge, exports } = createStage()
    const narrow = vi.fn<(what: Purged) => Purged>(({ tools = [] }) => ({ tools }))
    await createStore(narrow).purge({ tools: ['add'], lists: true }, exports)
    expect(narrow).toHaveBeenCalledExactlyOnceWith({ tools: ['add'], lists: true })
    expect(purge.mock.calls).toEqual([[['tool:add']]])
  })

  test('of what is never cached does not call the platform', async () => {
    const { Listings, exports } = createStage()
    await createStore(() => ({})).purge({ tools: 'all', lists: true }, exports)
    await createStore().purge({}, exports)
    expect(Listings).not.toHaveBeenCalled()
  })

  test('of everything purges everything', async () => {
    const { purge, exports } = createStage()
    await createStore(() => ({})).purge('everything', exports)
    expect(purge.mock.calls).toEqual([['everything']])
  })

  test.each([[undefined], [{}], [{ Listings: null }]])(
    'does nothing without an entrypoint, as in %j',
    async (exports) => {
      await expect(createStore().purge('everything', exports)).resolves.toBeUndefined()
    },
  )

  test('does nothing where the entrypoint has no cache', async () => {
    const { exports } = createStage(null)
    await expect(createStore().purge('everything', exports)).resolves.toBeUndefined()
  })

  test('that the platform refuses throws with why, and what to do', async () => {
    const errors = [limit, { code: 1, message: 'No.' }]
    const { exports } = createStage({ success: false, errors })
    await expect(createStore().purge({ lists: true }, exports)).rejects.toThrow(
      'The cache was not purged (You have reached the purge limit; No). Cached results are served ' +
        'until they expire. Purge again in a minute, and less often: the platform allows only a few ' +
        'purges a minute.',
    )
  })

  test('throws where the entrypoint cannot be reached', async () => {
    const exports = { Listings: () => ({ purge: () => Promise.reject(new Error('overloaded')) }) }
    await expect(createStore().purge({ lists: true }, exports)).rejects.toThrow('overloaded')
  })
})
