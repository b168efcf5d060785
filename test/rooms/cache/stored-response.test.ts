import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ComputedResult } from '../../../src/cache/read-through.ts'
import {
  isStorable,
  toUnknownKeyResponse,
  readStoredResponse,
  toStoredResponse,
  toCachedOutcome,
} from '../../../src/cache/stored-response.ts'
import { type Outcome, fail, toMembers } from '../../../src/protocol/outcome.ts'

// server/utilities/caching, "Cacheable Results"

const madeAt = Date.parse('2026-12-01T12:00:00.500Z')
const lifetime = { ttlMs: 60_000, staleMs: 30_000, tags: ['tools', 'tool:add'] }
const result = (members: object): Outcome => ({ kind: 'result', members: toMembers(members) })
const sum = result({ content: [{ type: 'text', text: '3 €' }], structuredContent: { sum: 3 } })
const isError = result({ content: [{ type: 'text', text: 'Closed.' }], isError: true })
const gone = fail({ kind: 'resource-not-found', why: 'Not found.', uri: 'shop://a' })
const wrong = fail({ kind: 'invalid-params', why: 'No such name.', data: { name: 'a' } })

function print(outcome: Outcome, changes: Partial<ComputedResult['lifetime']> = {}): Response {
  return toStoredResponse({ outcome, lifetime: { ...lifetime, ...changes } }, madeAt)
}

beforeEach(() => void vi.useFakeTimers({ now: madeAt, toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

describe('isStorable', () => {
  test.each<[string, Outcome]>([
    ['a result', sum],
    ['an empty result', result({})],
    ['a result whose text mentions errors', result({ content: [{ text: '"isError":true' }] })],
    [
      'a result with `isError` in a deeper object',
      result({ structuredContent: { isError: true } }),
    ],
    ['a result with `isError: false`', result({ content: [], isError: false })],
  ])('is true for %s', (_, outcome) => {
    expect(isStorable(outcome)).toBe(true)
  })

  test.each<[string, Outcome]>([
    ['an error of a tool', isError],
    [
      'a list that lacks entries because of an error',
      { kind: 'result', members: '"resources":[]', errorId: 'e-1' },
    ],
    ['a request for input', { kind: 'input-required', members: '"inputRequests":{}' }],
    ['a failure', gone],
    ['a fault', fail({ kind: 'internal', errorId: 'e-1' })],
  ])('is false for %s', (_, outcome) => {
    expect(isStorable(outcome)).toBe(false)
    expect(print(outcome).headers.get('Cache-Control')).toBe('no-store')
    expect(print(outcome).headers.has('Cache-Tag')).toBe(false)
  })

  describe('limits what the platform accepts, in bytes of UTF-8', () => {
    const outcome: Outcome = { kind: 'result', members: '€'.repeat(10) }

    test.each([
      [33, true],
      [32, true],
      [29, false],
      [10, false],
    ])('at %d bytes: %s', (maxBytes, expected) => {
      expect(isStorable(outcome, maxBytes)).toBe(expected)
    })

    test('braces included', async () => {
      const { byteLength } = await print(outcome).arrayBuffer()
      expect(isStorable(outcome, byteLength - 1)).toBe(false)
    })
  })
})

describe('a response', () => {
  test('of a result has the headers of its lifetime', async () => {
    const response = print(sum)
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toEqual({
      'content-type': 'application/json',
      'cache-control': 'public, max-age=60, stale-while-revalidate=30, stale-if-error=30',
      'cache-tag': 'tools,tool:add',
      'helve-made-at': String(madeAt),
      'helve-outcome': 'result',
    })
    expect(await response.json()).toMatchObject({ structuredContent: { sum: 3 } })
  })

  test('of a result that is fresh for less than a second is not stored', () => {
    expect(print(sum, { ttlMs: 999 }).headers.get('Cache-Control')).toBe('no-store')
  })

  test.each([
    ['a resource that is gone replaces the cached one', gone, 404],
    ['a name that is gone replaces the cached result', wrong, 404],
    ['the cached result is served while a read fails', fail({ kind: 'failed', why: 'Busy.' }), 500],
    ['the cached result is served after a fault', fail({ kind: 'internal', errorId: 'e-1' }), 500],
  ])('has a status, so that %s', (_, outcome, status) => {
    expect(print(outcome).status).toBe(status)
  })

  test('to an unknown key is not stored', () => {
    expect(toUnknownKeyResponse().status).toBe(404)
    expect(toUnknownKeyResponse().headers.get('Cache-Control')).toBe('no-store')
  })

  test('of a request for input has no body', async () => {
    const response = print({ kind: 'input-required', members: '"requestState":"sealed"' })
    expect(await response.text()).toBe('')
  })
})

describe('readStoredResponse', () => {
  test.each<[string, Outcome]>([
    ['a result', sum],
    ['an empty result', result({})],
    ['an error of a tool', isError],
    ['a fault of a tool, with its error id', Object.assign({}, isError, { errorId: 'e-1' })],
    ['a resource that is gone', gone],
    ['wrong parameters', wrong],
    ['wrong parameters, without data', fail({ kind: 'invalid-params', why: 'No such name.' })],
    ['a failure', fail({ kind: 'failed', why: 'The shop is "closed".' })],
    ['a fault', fail({ kind: 'internal', errorId: 'e-1' })],
  ])('returns %s', async (_, outcome) => {
    expect(await readStoredResponse(print(outcome))).toEqual({ outcome, madeAt })
  })

  const ours = { 'Helve-Made-At': String(madeAt) }

  test.each([
    ['to an unknown key', () => toUnknownKeyResponse()],
    ['of another Worker', () => Response.json({ content: [] })],
    ['without a time', () => new Response('{}', { headers: { 'Helve-Made-At': '' } })],
    [
      'of another kind of failure',
      () => Response.json({ kind: 'unauthorized', why: 'No.' }, { status: 500, headers: ours }),
    ],
    [
      'of a fault without its id',
      () => Response.json({ kind: 'internal' }, { status: 500, headers: ours }),
    ],
    [
      'of a failure without a reason',
      () => Response.json({ kind: 'failed' }, { status: 500, headers: ours }),
    ],
    ['that is a list', () => Response.json([], { status: 500, headers: ours })],
    ['that is null', () => Response.json(null, { status: 404, headers: ours })],
  ])('returns null for a response %s', async (_, make) => {
    expect(await readStoredResponse(make())).toBeNull()
  })

  test('returns null for a response whose time is not a number', async () => {
    const headers = { 'Helve-Made-At': 'yesterday' }
    expect(await readStoredResponse(new Response('{}', { headers }))).toBeNull()
  })

  test('returns null for an error page of the platform', async () => {
    const page = new Response('<h1>Error 1101</h1>', { status: 500 })
    expect(await readStoredResponse(page)).toBeNull()
  })

  test('reads the body of any response to its end', async () => {
    const response = Response.json({ content: [] })
    await readStoredResponse(response)
    expect(response.bodyUsed).toBe(true)
  })
})

describe('toCachedOutcome', () => {
  test.each([
    [0, 0],
    [999, 0],
    [1_000, 1],
    [59_999, 59],
    [61_000, 61],
    [-5_000, 0], // another machine's clock may be ahead
  ])('has, after %d ms, an age of %d s', (passed, ageSeconds) => {
    vi.setSystemTime(madeAt + passed)
    expect(toCachedOutcome({ outcome: sum, madeAt }, true, 60_000)).toEqual({
      ...sum,
      cached: { isHit: true, ageSeconds, ttlMs: 60_000 },
    })
  })

  test('has whether it was a hit', () => {
    expect(toCachedOutcome({ outcome: sum, madeAt }, false, 60_000)).toMatchObject({
      cached: { isHit: false },
    })
  })

  test('returns a failure without an age', () => {
    expect(toCachedOutcome({ outcome: gone, madeAt }, false, 60_000)).toBe(gone)
  })
})
