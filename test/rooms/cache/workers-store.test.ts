import { afterEach, beforeEach, describe, expect, test, vi, type MockInstance } from 'vitest'
import type { CacheLookup } from '../../../src/cache/read-through.ts'
import { toUnknownKeyResponse, toStoredResponse } from '../../../src/cache/stored-response.ts'
import { createWorkersStore } from '../../../src/cache/workers-store.ts'
import { type Outcome, fail, toMembers } from '../../../src/protocol/outcome.ts'
import { toExchange } from '../exchange.ts'

const madeAt = Date.parse('2026-12-01T12:00:00Z')

let notices: MockInstance<typeof console.warn>
beforeEach(() => {
  notices = vi.spyOn(console, 'warn').mockReturnValue()
  vi.useFakeTimers({ now: madeAt + 7_500, toFake: ['Date'] })
})
afterEach(() => {
  notices.mockRestore()
  vi.useRealTimers()
})

const url = 'https://listings.invalid/resources/read?uri=shop%3A%2F%2Fa'
const outcome: Outcome = { kind: 'result', members: toMembers({ contents: [] }) }
const wanted: CacheLookup = {
  request: { method: 'resources/read', uri: 'shop://a' },
  partition: { caller: { subject: 'ada', scopes: [], claims: {} } },
  lifetime: { ttlMs: 60_000, staleMs: 0, tags: ['uri:a'] },
}

/** `ctx.exports` of a Worker whose `Listings` answers like this, and notes all that it is asked. */
function createStage(answer: (status: string | null) => Response, status: string | null = null) {
  const fetch = vi.fn<(...request: unknown[]) => Promise<Response>>(async () => {
    const response = answer(status)
    if (status !== null) response.headers.set('Cf-Cache-Status', status)
    return response
  })
  const Listings = vi.fn<(...options: unknown[]) => object>(() => ({ fetch }))
  return { fetch, Listings, exports: { Listings } }
}

const fresh = (): Response => toStoredResponse({ outcome, lifetime: wanted.lifetime }, madeAt)

test('asks by the URL and for the audience, and takes nothing else along', async () => {
  const { exports, fetch, Listings } = createStage(fresh)
  const headers = new Headers({
    Authorization: 'Bearer token',
    Cookie: 'session=1',
    'X-Forwarded-Host': 'evil.example',
  })
  await createWorkersStore().get(url, wanted, toExchange({ exports, headers }))
  expect(Listings.mock.calls).toEqual([[{ props: wanted.partition }]])
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
  [null, false], // where no cache stands before it, as locally
])('what came with Cf-Cache-Status %s was there: %s', async (status, isHit) => {
  const { exports } = createStage(fresh, status)
  expect(await createWorkersStore().get(url, wanted, toExchange({ exports }))).toEqual({
    ...outcome,
    kept: { isHit, age: 7, ttlMs: 60_000 },
  })
})

test('a failure comes back as one', async () => {
  const failure = fail({ kind: 'invalid-params', why: 'Not found.', data: { uri: 'shop://a' } })
  const { exports } = createStage(() =>
    toStoredResponse({ outcome: failure, lifetime: wanted.lifetime }, madeAt),
  )
  const answer = await createWorkersStore().get(url, wanted, toExchange({ exports }))
  expect(answer).toEqual(failure)
})

describe('an entrypoint', () => {
  test('that is not ours is an error', async () => {
    const { exports } = createStage(toUnknownKeyResponse)
    const answer = createWorkersStore().get(url, wanted, toExchange({ exports }))
    await expect(answer).rejects.toThrow('Listings has no answer to resources/read.')
  })

  test('that cannot be reached is an error', async () => {
    const { exports } = createStage(() => {
      throw new Error('overloaded')
    })
    const answer = createWorkersStore().get(url, wanted, toExchange({ exports }))
    await expect(answer).rejects.toThrow('overloaded')
  })

  test.each([[undefined], [null], [{}], [{ Listings: null }], [{ Listings: {} }]])(
    'that is not there, as in %j, gives nothing',
    async (exports) => {
      expect(await createWorkersStore().get(url, wanted, toExchange({ exports }))).toBeNull()
    },
  )

  test('that is missing is noticed once, with what to do', async () => {
    const { get } = createWorkersStore()
    await get(url, wanted, toExchange({ exports: {} }))
    await get(url, wanted, toExchange({ exports: {} }))
    expect(notices).toHaveBeenCalledTimes(1)
    const [line] = notices.mock.lastCall ?? []
    expect(JSON.parse(String(line))).toMatchObject({
      what: 'cache',
      detail: expect.stringContaining('`export const { Listings } = worker`'),
    })
  })
})
