import { afterEach, beforeEach, describe, expect, test, vi, type MockInstance } from 'vitest'
import { maxCacheUrlLength, toCacheUrl } from '../../../src/cache/cache-key.ts'
import {
  type CacheLookup,
  type CacheStore,
  type ComputeResult,
  readThrough,
} from '../../../src/cache/read-through.ts'
import { type Outcome, fail, toMembers } from '../../../src/protocol/outcome.ts'
import { toCacheContext } from './cache-context.ts'

let errors: MockInstance<typeof console.error>
beforeEach(() => {
  errors = vi.spyOn(console, 'error').mockReturnValue()
})
afterEach(() => errors.mockRestore())

const computed: Outcome = { kind: 'result', members: toMembers({ from: 'compute' }) }
const cached: Outcome = { kind: 'result', members: toMembers({ from: 'store' }) }
const context = toCacheContext()
const lookup: CacheLookup = {
  request: { method: 'resources/read', uri: 'shop://a' },
  partition: { caller: null },
  lifetime: { ttlMs: 1_000, staleMs: 0, tags: ['uri:a'] },
}
const url = toCacheUrl(lookup.request)

function createStage(
  get: CacheStore['get'] = async () => cached,
  outcome: Outcome | null = computed,
) {
  const compute = vi.fn<ComputeResult>(
    async () => outcome && { outcome, lifetime: lookup.lifetime },
  )
  const store = { get: vi.fn<CacheStore['get']>(get), purge: async () => {} }
  const read = (changes: Partial<CacheLookup> = {}) =>
    readThrough({ ...lookup, ...changes }, store, compute, context)
  return { compute, store, read }
}

test('returns what the store has, and computes nothing', async () => {
  const { read, store, compute } = createStage()
  expect(await read()).toBe(cached)
  expect(store.get).toHaveBeenCalledExactlyOnceWith(url, lookup, context)
  expect(compute).not.toHaveBeenCalled()
})

test('asks the store for a URL of exactly the greatest length', async () => {
  const { read, store } = createStage()
  const start = toCacheUrl({ method: 'resources/read', uri: 'a' }).length - 1
  const request = { method: 'resources/read', uri: 'a'.repeat(maxCacheUrlLength - start) } as const
  expect(toCacheUrl(request)).toHaveLength(maxCacheUrlLength)
  expect(await read({ request })).toBe(cached)
  expect(store.get).toHaveBeenCalledTimes(1)
})

describe('computes the result from its key alone', () => {
  test('without a store', async () => {
    const { compute } = createStage()
    expect(await readThrough(lookup, null, compute, context)).toBe(computed)
    expect(compute).toHaveBeenCalledExactlyOnceWith(url, lookup.partition, context)
  })

  test('where this Worker does not have the store', async () => {
    const { read, compute } = createStage(async () => null)
    expect(await read()).toBe(computed)
    expect(compute).toHaveBeenCalledExactlyOnceWith(url, lookup.partition, context)
    expect(errors).not.toHaveBeenCalled()
  })

  test('where the store cannot be reached, and logs why without secrets', async () => {
    const { read, compute } = createStage(() =>
      Promise.reject(new Error('no route with key hunter2-hunter2')),
    )
    expect(await read()).toBe(computed)
    expect(compute).toHaveBeenCalledTimes(1)
    const [line, error] = errors.mock.lastCall ?? []
    expect(JSON.parse(String(line))).toMatchObject({ level: 'error', what: 'cache' })
    expect(String(error)).toContain('no route with key')
    expect(String(error)).not.toContain('hunter2')
  })

  test.each([
    ['a URI', { method: 'resources/read', uri: `shop://${'a'.repeat(9_000)}` }],
    ['arguments', { method: 'tools/call', name: 'add', input: { a: 'a'.repeat(9_000) } }],
  ] as const)('where %s would make the URL too long', async (_, request) => {
    const { read, store, compute } = createStage()
    expect(await read({ request })).toBe(computed)
    expect(store.get).not.toHaveBeenCalled()
    expect(compute).toHaveBeenCalledExactlyOnceWith(toCacheUrl(request), lookup.partition, context)
  })

  test.each([0, 1, 999])('where it is fresh for less than a second: %d ms', async (ttlMs) => {
    const { read, store } = createStage()
    const lifetime = { ...lookup.lifetime, ttlMs, staleMs: 60_000 }
    expect(await read({ lifetime })).toBe(computed)
    expect(store.get).not.toHaveBeenCalled()
  })
})

test('returns a failure as it is', async () => {
  const failure = fail({ kind: 'failed', why: 'Closed.' })
  const { read } = createStage(async () => null, failure)
  expect(await read()).toBe(failure)
})

test('throws for a request whose results are never cached', async () => {
  const { read } = createStage(async () => null, null)
  await expect(read()).rejects.toThrow('Nothing is cached for resources/read.')
})
