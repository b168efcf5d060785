import { describe, expect, test } from 'vitest'
import {
  type Freshness,
  noStore,
  toCacheDirectives,
  toOutcomeDirectives,
} from '../../../src/cache/freshness.ts'
import { isJsonObject } from '../../../src/protocol/json.ts'
import { type Outcome, fail } from '../../../src/protocol/outcome.ts'

// server/utilities/caching; RFC 9111, 4.2 and 5.2; RFC 9211 for Cache-Status

const scopes = ['public', 'private'] as const
const plain = { ttlMs: 300_000, cacheScope: 'public' } as const

/** A cached result of this age. */
function cachedFor(ttlMs: number, ageSeconds: number): Pick<Freshness, 'cached'> {
  return { cached: { isHit: true, ageSeconds, ttlMs } }
}

/** Reads the body as a client does. */
function readMembers(members: string): { readonly ttlMs: number; readonly cacheScope: unknown } {
  const body: unknown = JSON.parse(`{${members}}`)
  const { ttlMs, cacheScope, ...others } = isJsonObject(body) ? body : {}
  expect(others).toEqual({})
  return { ttlMs: Number(ttlMs), cacheScope }
}

/** Reads the whole seconds of a directive as an HTTP cache does. */
function readSeconds(headers: Readonly<Record<string, string>>, directive: string): number {
  const [, seconds] =
    new RegExp(`\\b${directive}=(\\d+)`).exec(headers['Cache-Control'] ?? '') ?? []
  return Number(seconds)
}

describe.each(scopes)('a %s result', (cacheScope) => {
  test.each([
    // ttlMs, age; ttlMs in the body, max-age, Age
    [0, 0, 0, null, null],
    [0, 1, 0, null, null],
    [999, 0, 999, null, null],
    [999, 1, 0, null, null],
    [1_000, 0, 1_000, 1, null],
    [1_000, 1, 0, null, null],
    [1_000, 2, 0, null, null],
    [1_500, 0, 1_500, 1, null],
    [1_500, 1, 500, null, null],
    [1_500, 2, 0, null, null],
    [300_000, 0, 300_000, 300, null],
    [300_000, 1, 299_000, 300, 1],
    [300_000, 299, 1_000, 300, 299],
    [300_000, 300, 0, null, null],
    [300_000, 301, 0, null, null],
  ])(
    'that is fresh for %d ms is, after %d s, fresh for %d ms',
    (ttlMs, age, left, maxAge, ageHeader) => {
      const { members, reply } = toCacheDirectives({ ttlMs, cacheScope, ...cachedFor(ttlMs, age) })
      expect(members).toBe(`"ttlMs":${left},"cacheScope":"${cacheScope}"`)
      expect(reply).toEqual({
        'Cache-Control': maxAge === null ? 'no-store' : `${cacheScope}, max-age=${maxAge}`,
        ...(ageHeader !== null && { Age: String(ageHeader) }),
        'Cache-Status': expect.any(String),
      })
    },
  )

  test.each([
    [0, null],
    [999, null],
    [1_000, 1],
    [1_500, 1],
    [300_000, 300],
  ])('that is fresh for %d ms has the same directives without a cache', (ttlMs, maxAge) => {
    const { members, reply } = toCacheDirectives({ ttlMs, cacheScope })
    expect(readMembers(members)).toEqual({ ttlMs, cacheScope })
    expect(reply).toEqual({
      'Cache-Control': maxAge === null ? 'no-store' : `${cacheScope}, max-age=${maxAge}`,
    })
  })
})

describe('the server’s own cache', () => {
  describe.each(scopes)('with a %s result', (cacheScope) => {
    test.each([
      // ttlMs, staleMs; max-age, stale-while-revalidate
      [1_000, 0, 1, 0],
      [1_500, 999, 1, 0],
      [1_999, 1_000, 1, 1],
      [300_000, 60_500, 300, 60],
    ])('stores it for %d ms, and %d ms stale', (ttlMs, staleMs, fresh, stale) => {
      expect(toCacheDirectives({ ttlMs, cacheScope, staleMs }).stored).toEqual({
        'Cache-Control': `public, max-age=${fresh}, stale-while-revalidate=${stale}, stale-if-error=${stale}`,
      })
    })

    test.each([
      [0, 0],
      [999, 0],
      [0, 60_000],
      [999, 60_000],
    ])('does not store what is fresh for %d ms, and stale for %d ms', (ttlMs, staleMs) => {
      const directives = toCacheDirectives({ ttlMs, cacheScope, staleMs, tags: ['a'] })
      expect(directives.stored).toEqual(noStore)
    })

    test.each([
      [[], undefined],
      [['tools'], 'tools'],
      [['tools', 'tool:add'], 'tools,tool:add'],
    ])('tags it %j', (tags, header) => {
      expect(toCacheDirectives({ ttlMs: 1_000, cacheScope, tags }).stored['Cache-Tag']).toBe(header)
    })
  })

  test.each([
    [1_000, 1],
    [300_000, 299],
    [300_000, 300],
  ])('stores it the same at any age: %d ms after %d s', (ttlMs, age) => {
    const { stored } = toCacheDirectives({ ...plain, ttlMs, ...cachedFor(ttlMs, age) })
    expect(stored).toEqual(toCacheDirectives({ ...plain, ttlMs }).stored)
  })
})

describe('a reply', () => {
  test('has tags beside an ETag only: they are for a CDN in front of documents', () => {
    const tagged = { ...plain, tags: ['tools', 'more'] }
    expect(toCacheDirectives(tagged).reply).toEqual({ 'Cache-Control': 'public, max-age=300' })
    expect(toCacheDirectives({ ...tagged, etag: '"e"' }).reply).toEqual({
      'Cache-Control': 'public, max-age=300',
      ETag: '"e"',
      'Cache-Tag': 'tools,more',
    })
    expect(toCacheDirectives({ ...plain, etag: '"e"' }).reply).not.toHaveProperty('Cache-Tag')
  })

  test('has its ETag even if it is not cached, since the next request is cheaper with it', () => {
    const { reply, stored } = toCacheDirectives({ ...plain, ttlMs: 0, etag: '"e"' })
    expect(reply).toEqual({ 'Cache-Control': 'no-store', ETag: '"e"' })
    expect(stored).toEqual(noStore)
  })

  test('does not have the stale time, which is only for the server’s own cache', () => {
    const { reply } = toCacheDirectives({ ...plain, staleMs: 60_000 })
    expect(reply).toEqual({ 'Cache-Control': 'public, max-age=300' })
  })

  test.each([
    [{ isHit: true, ageSeconds: 0, ttlMs: 60_000 }, 'helve; hit; ttl=60'],
    [{ isHit: true, ageSeconds: 59, ttlMs: 60_999 }, 'helve; hit; ttl=1'],
    [{ isHit: true, ageSeconds: 61, ttlMs: 60_000 }, 'helve; hit; ttl=-1'],
    [{ isHit: false, ageSeconds: 0, ttlMs: 60_000 }, 'helve; fwd=miss'],
  ])('has a Cache-Status for %j', (cached, status) => {
    expect(toCacheDirectives({ ...plain, cached }).reply['Cache-Status']).toBe(status)
  })
})

describe('an outcome', () => {
  const hints = { ttlMs: 90_000, cacheScope: 'private' } as const
  const cached = { isHit: true, ageSeconds: 30, ttlMs: 90_000 }
  const result = { kind: 'result', members: '' } as const

  test.each<[string, Outcome]>([
    ['that failed', fail({ kind: 'failed', why: 'no' })],
    ['that requires input', { kind: 'input-required', members: '' }],
    ['without hints that is not cached', result],
  ])('%s has no directives', (_, outcome) => {
    expect(toOutcomeDirectives(outcome)).toBeNull()
  })

  test('with hints has their directives', () => {
    expect(toOutcomeDirectives({ ...result, hints })).toEqual(toCacheDirectives(hints))
  })

  test('with hints that is cached has what is left of the time', () => {
    expect(toOutcomeDirectives({ ...result, hints, cached })).toMatchObject({
      members: '"ttlMs":60000,"cacheScope":"private"',
      reply: { 'Cache-Control': 'private, max-age=90', Age: '30' },
    })
  })

  test('that is cached without hints, such as a tool’s, is not cached by clients', () => {
    const justMade = { ...cached, ageSeconds: 0 }
    expect(toOutcomeDirectives({ ...result, cached: justMade })?.reply).toEqual({
      'Cache-Control': 'no-store',
      'Cache-Status': 'helve; hit; ttl=90',
    })
  })
})

test('body and headers never disagree: max-age less Age is ttlMs in whole seconds', () => {
  const times = [0, 1, 500, 999, 1_000, 1_001, 1_999, 2_000, 59_999, 60_000, 300_000, 86_400_001]
  const ages = [0, 1, 2, 3, 59, 60, 61, 299, 300, 301, 86_399, 86_400, 86_401]
  const all = times.flatMap((ttlMs) =>
    ages.flatMap((age) => scopes.map((cacheScope) => ({ ttlMs, age, cacheScope }))),
  )
  const wrong = all.filter(({ ttlMs, age, cacheScope }) => {
    const etag = age % 2 === 0 ? { etag: '"e"', tags: ['t'] } : {}
    const freshness = { ttlMs, cacheScope, staleMs: 5_000, ...cachedFor(ttlMs, age), ...etag }
    const { members, reply, stored } = toCacheDirectives(freshness)
    const body = readMembers(members)
    const isFresh = reply['Cache-Control'] !== 'no-store'
    const left = readSeconds(reply, 'max-age') - Number(reply['Age'] ?? 0)
    const isStored = stored['Cache-Control'] !== 'no-store'
    return !(
      body.cacheScope === cacheScope &&
      Number.isInteger(body.ttlMs) &&
      body.ttlMs >= 0 &&
      isFresh === body.ttlMs >= 1_000 &&
      (isFresh ? left === Math.floor(body.ttlMs / 1_000) : reply['Age'] === undefined) &&
      isStored === ttlMs >= 1_000 &&
      (!isStored || readSeconds(stored, 'max-age') === Math.floor(ttlMs / 1_000))
    )
  })
  expect(wrong).toEqual([])
})
