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
const keeping = { ttlMs: 60_000, staleMs: 30_000, tags: ['tools', 'tool:add'] }
const result = (members: object): Outcome => ({ kind: 'result', members: toMembers(members) })
const sum = result({ content: [{ type: 'text', text: '3 €' }], structuredContent: { sum: 3 } })
const isError = result({ content: [{ type: 'text', text: 'Closed.' }], isError: true })
const gone = fail({ kind: 'invalid-params', why: 'Not found.', data: { uri: 'shop://a' } })

function print(outcome: Outcome, changes: Partial<ComputedResult['lifetime']> = {}): Response {
  return toStoredResponse({ outcome, lifetime: { ...keeping, ...changes } }, madeAt)
}

beforeEach(() => void vi.useFakeTimers({ now: madeAt, toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

describe('what may be stored', () => {
  test.each<[string, Outcome]>([
    ['a result', sum],
    ['an empty result', result({})],
    ['a result that only speaks of errors', result({ content: [{ text: '"isError":true' }] })],
    ['a result that has such a member deeper', result({ structuredContent: { isError: true } })],
    ['a result that says that it is none', result({ content: [], isError: false })],
  ])('is %s', (_, outcome) => {
    expect(isStorable(outcome)).toBe(true)
  })

  test.each<[string, Outcome]>([
    ['an error of a tool', isError],
    ['a question', { kind: 'input-required', members: '"inputRequests":{}' }],
    ['a failure', gone],
    ['a fault', fail({ kind: 'internal', errorId: 'e-1' })],
  ])('is not %s', (_, outcome) => {
    expect(isStorable(outcome)).toBe(false)
    expect(print(outcome).headers.get('Cache-Control')).toBe('no-store')
    expect(print(outcome).headers.has('Cache-Tag')).toBe(false)
  })

  describe('is no more than the platform takes, whatever bytes its letters need', () => {
    const outcome: Outcome = { kind: 'result', members: '€'.repeat(10) }

    test.each([
      [33, true],
      [32, true],
      [29, false],
      [10, false],
    ])('of %d bytes: %s', (maxBytes, expected) => {
      expect(isStorable(outcome, maxBytes)).toBe(expected)
    })

    test('and no more with its braces', async () => {
      const { byteLength } = await print(outcome).arrayBuffer()
      expect(isStorable(outcome, byteLength - 1)).toBe(false)
    })
  })
})

describe('a response', () => {
  test('of a result is stored as long as it is kept', async () => {
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

  test('of what is kept for less than a second is not stored', () => {
    expect(print(sum, { ttlMs: 999 }).headers.get('Cache-Control')).toBe('no-store')
  })

  test.each([
    ['what is gone takes the place of what was there', gone, 404],
    ['while a read fails, what was there will do', fail({ kind: 'failed', why: 'Busy.' }), 500],
    ['while it is broken, too', fail({ kind: 'internal', errorId: 'e-1' }), 500],
  ])('has a status, so that %s', (_, outcome, status) => {
    expect(print(outcome).status).toBe(status)
  })

  test('to no lookup of ours is stored by nobody', () => {
    expect(toUnknownKeyResponse().status).toBe(404)
    expect(toUnknownKeyResponse().headers.get('Cache-Control')).toBe('no-store')
  })

  test('to what is never kept says nothing of it', async () => {
    const response = print({ kind: 'input-required', members: '"requestState":"sealed"' })
    expect(await response.text()).toBe('')
  })
})

describe('reading a response', () => {
  test.each<[string, Outcome]>([
    ['a result', sum],
    ['an empty result', result({})],
    ['an error of a tool', isError],
    ['what is gone', gone],
    ['what is gone, without more', fail({ kind: 'invalid-params', why: 'Not found.' })],
    ['a failure', fail({ kind: 'failed', why: 'The shop is "closed".' })],
    ['a fault', fail({ kind: 'internal', errorId: 'e-1' })],
  ])('gives back %s', async (_, outcome) => {
    expect(await readStoredResponse(print(outcome))).toEqual({ outcome, madeAt })
  })

  const ours = { 'Helve-Made-At': String(madeAt) }

  test.each([
    ['that nobody made', () => toUnknownKeyResponse()],
    ['of another Worker', () => Response.json({ content: [] })],
    ['that has no time', () => new Response('{}', { headers: { 'Helve-Made-At': '' } })],
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
  ])('gives nothing for one %s', async (_, make) => {
    expect(await readStoredResponse(make())).toBeNull()
  })

  test('gives nothing for one whose time is no number', async () => {
    const headers = { 'Helve-Made-At': 'yesterday' }
    expect(await readStoredResponse(new Response('{}', { headers }))).toBeNull()
  })

  test('gives nothing for a page of the platform in the place of an answer', async () => {
    const page = new Response('<h1>Error 1101</h1>', { status: 500 })
    expect(await readStoredResponse(page)).toBeNull()
  })

  test('leaves nothing of a foreign response unread', async () => {
    const response = Response.json({ content: [] })
    await readStoredResponse(response)
    expect(response.bodyUsed).toBe(true)
  })
})

describe('an answer that was kept', () => {
  test.each([
    [0, 0],
    [999, 0],
    [1_000, 1],
    [59_999, 59],
    [61_000, 61],
    [-5_000, 0], // another machine's clock may be ahead of ours
  ])('is, after %d ms, %d s old', (passed, age) => {
    vi.setSystemTime(madeAt + passed)
    expect(toCachedOutcome({ outcome: sum, madeAt }, true, 60_000)).toEqual({
      ...sum,
      kept: { isHit: true, age, ttlMs: 60_000 },
    })
  })

  test('says whether it was there', () => {
    expect(toCachedOutcome({ outcome: sum, madeAt }, false, 60_000)).toMatchObject({
      kept: { isHit: false },
    })
  })

  test('has no age where it is a failure', () => {
    expect(toCachedOutcome({ outcome: gone, madeAt }, false, 60_000)).toBe(gone)
  })
})
