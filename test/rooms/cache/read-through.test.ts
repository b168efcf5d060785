import { afterEach, beforeEach, describe, expect, test, vi, type MockInstance } from 'vitest'
import {
  type ComputeResult,
  type CacheStore,
  type CacheLookup,
  createKeep,
} from '../../../src/cache/read-through.ts'
import { toCacheUrl } from '../../../src/cache/cache-key.ts'
import { type Outcome, fail, toMembers } from '../../../src/protocol/outcome.ts'
import { toExchange } from '../exchange.ts'

let errors: MockInstance<typeof console.error>
beforeEach(() => {
  errors = vi.spyOn(console, 'error').mockReturnValue()
})
afterEach(() => errors.mockRestore())

const made: Outcome = { kind: 'result', members: toMembers({ from: 'fill' }) }
const kept: Outcome = { kind: 'result', members: toMembers({ from: 'store' }) }
const site = toExchange()
const wanted: CacheLookup = {
  request: { method: 'resources/read', uri: 'shop://a' },
  partition: { caller: null },
  lifetime: { ttlMs: 1_000, staleMs: 0, tags: ['uri:a'] },
}

function createStage(get: CacheStore['get'] = async () => kept, outcome: Outcome | null = made) {
  const filled = outcome && { outcome, keeping: wanted.lifetime }
  const fill = vi.fn<ComputeResult>(async () => filled)
  const store = { get: vi.fn<CacheStore['get']>(get) }
  return { fill, store, keep: createKeep(fill, store) }
}

test('what is kept is not made', async () => {
  const { keep, store, fill } = createStage()
  expect(await keep(wanted, site)).toBe(kept)
  expect(store.get).toHaveBeenCalledExactlyOnceWith(toCacheUrl(wanted.request), wanted, site)
  expect(fill).not.toHaveBeenCalled()
})

describe('it is made, from its key alone,', () => {
  test('where there is no such place', async () => {
    const { fill } = createStage()
    expect(await createKeep(fill, null)(wanted, site)).toBe(made)
    expect(fill).toHaveBeenCalledExactlyOnceWith(toCacheUrl(wanted.request), wanted.partition, site)
  })

  test('where this Worker has none', async () => {
    const { keep, fill } = createStage(async () => null)
    expect(await keep(wanted, site)).toBe(made)
    expect(fill).toHaveBeenCalledExactlyOnceWith(toCacheUrl(wanted.request), wanted.partition, site)
    expect(errors).not.toHaveBeenCalled()
  })

  test('where the place is out of reach, which is in the log without secrets', async () => {
    const { keep, fill } = createStage(() => Promise.reject(new Error('no route with key hunter2')))
    const mask = (text: string): string => text.replaceAll('hunter2', '***')
    expect(await keep(wanted, { ...site, mask })).toBe(made)
    expect(fill).toHaveBeenCalledTimes(1)
    const [line] = errors.mock.lastCall ?? []
    expect(JSON.parse(String(line))).toMatchObject({
      what: 'cache',
      detail: expect.stringContaining('no route with key ***'),
    })
  })

  test.each([
    ['a URI', { method: 'resources/read', uri: `shop://${'a'.repeat(9_000)}` }],
    ['arguments', { method: 'tools/call', name: 'add', input: { a: 'a'.repeat(9_000) } }],
  ] as const)('where it has %s too long for a URL', async (_, lookup) => {
    const { keep, store, fill } = createStage()
    expect(await keep({ ...wanted, lookup }, site)).toBe(made)
    expect(store.get).not.toHaveBeenCalled()
    expect(fill).toHaveBeenCalledExactlyOnceWith(toCacheUrl(lookup), wanted.partition, site)
  })

  test.each([0, 1, 999])('where it is fresh for no whole second: %d ms', async (ttlMs) => {
    const { keep, store } = createStage()
    const keeping = { ...wanted.lifetime, ttlMs, staleMs: 60_000 }
    expect(await keep({ ...wanted, keeping }, site)).toBe(made)
    expect(store.get).not.toHaveBeenCalled()
  })
})

test('a failure is given as it is', async () => {
  const failure = fail({ kind: 'failed', why: 'Closed.' })
  const { keep } = createStage(async () => null, failure)
  expect(await keep(wanted, site)).toBe(failure)
})

test('what nothing is kept of is our own fault', async () => {
  const { keep } = createStage(async () => null, null)
  await expect(keep(wanted, site)).rejects.toThrow('Nothing is kept for resources/read.')
})
