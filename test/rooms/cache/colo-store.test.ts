import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ColoStore } from '../../../src/cache/colo-store.ts'
import type { CacheLookup, ComputeResult } from '../../../src/cache/read-through.ts'
import { toCacheUrl } from '../../../src/cache/cache-key.ts'
import { PurgeTimes } from '../../../src/cache/purge.ts'
import { type Outcome, fail, toMembers } from '../../../src/protocol/outcome.ts'
import { toCacheContext } from './cache-context.ts'

/*
 * Against the Cache API of workerd. Its clock follows the fake Date, and its entries outlive a test: no
 * two tests may read the same URI.
 */

const start = Date.parse('2026-12-01T12:00:00Z')
beforeEach(() => void vi.useFakeTimers({ now: start, toFake: ['Date'] }))
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const lifetime = { ttlMs: 60_000, staleMs: 30_000, tags: ['uri:a'] }
const result = (text: string): Outcome => ({ kind: 'result', members: toMembers({ text }) })
const isError: Outcome = { kind: 'result', members: toMembers({ content: [], isError: true }) }

interface Changes {
  readonly make?: (run: number) => Outcome | Promise<Outcome>
  readonly version?: (env: object) => string
  readonly purges?: PurgeTimes
}

/** A store of one isolate, what it computes, and what goes on after its callers have their results. */
function createStage({ make = (run) => result(`${run}`), ...changes }: Changes = {}) {
  const { version = () => 'v1', purges = new PurgeTimes() } = changes
  const background: Promise<unknown>[] = []
  let runs = 0
  const compute = vi.fn<ComputeResult>(async (_url, _partition, _context) => {
    runs += 1
    return { outcome: await make(runs), lifetime }
  })
  const store = new ColoStore(compute, version, purges)
  const context = toCacheContext({ waitUntil: (work) => void background.push(work) })
  const uri = `shop://${crypto.randomUUID()}`
  return {
    compute,
    purges,
    settled: () => Promise.all(background),
    /** Looks up the same result each time, except for what a test changes. */
    get: (changes: Partial<CacheLookup> = {}): Promise<Outcome | null> => {
      const request = changes.request ?? ({ method: 'resources/read', uri } as const)
      const lookup = { partition: {}, lifetime, ...changes, request }
      return store.get(toCacheUrl(request), lookup, context)
    },
  }
}

const after = (ms: number): void => void vi.setSystemTime(start + ms)
const hit = (text: string, ageSeconds: number) => ({
  ...result(text),
  cached: { isHit: true, ageSeconds, ttlMs: 60_000 },
})
const miss = (text: string) => ({
  ...result(text),
  cached: { isHit: false, ageSeconds: 0, ttlMs: 60_000 },
})

describe('a result', () => {
  test('is computed once, and then has an age', async () => {
    const { get, compute } = createStage()
    expect(await get()).toEqual(miss('1'))
    expect(await get()).toEqual(hit('1', 0))
    after(59_999)
    expect(await get()).toEqual(hit('1', 59))
    expect(compute).toHaveBeenCalledTimes(1)
  })

  test('is as old as the beginning of its computation', async () => {
    const { get } = createStage({
      make(run) {
        after(5_000)
        return result(`${run}`)
      },
    })
    expect(await get()).toMatchObject({ cached: { isHit: false, ageSeconds: 5 } })
    expect(await get()).toMatchObject({ cached: { isHit: true, ageSeconds: 5 } })
  })

  test('is computed from its key and nothing else of a request', async () => {
    const { get, compute } = createStage()
    const request = {
      method: 'tools/call',
      name: 'add',
      input: { id: crypto.randomUUID() },
    } as const
    await get({ request, partition: { caller: null } })
    expect(compute).toHaveBeenCalledExactlyOnceWith(
      toCacheUrl(request),
      { caller: null },
      expect.anything(),
    )
  })

  test.each([60_000, 89_999])(
    'is stale after %d ms, and served while a new one is computed',
    async (ms) => {
      const { get, compute, settled } = createStage()
      await get()
      after(ms)
      expect(await get()).toEqual(hit('1', Math.floor(ms / 1_000)))
      await settled()
      expect(compute).toHaveBeenCalledTimes(2)
      expect(await get()).toEqual(hit('2', 0))
      expect(compute).toHaveBeenCalledTimes(2)
    },
  )

  test('is computed again after its stale time', async () => {
    const { get } = createStage()
    await get()
    after(90_000)
    expect(await get()).toEqual(miss('2'))
    expect(await get()).toEqual(hit('2', 0))
  })

  test('is not served stale by default', async () => {
    const { get } = createStage()
    const strict = { lifetime: { ...lifetime, staleMs: 0 } }
    await get(strict)
    after(60_000)
    expect(await get(strict)).toEqual(miss('2'))
  })
})

describe('the key', () => {
  const ada = { caller: { subject: 'ada', scopes: [], claims: {} } }
  const bob = { caller: { subject: 'bob', scopes: [], claims: {} } }

  test('contains the whole partition', async () => {
    const { get, compute } = createStage()
    const partitions = [
      {},
      { caller: null },
      ada,
      bob,
      { caller: { ...ada.caller, scopes: ['a'] } },
      { caller: { ...ada.caller, claims: { tier: 'gold' } } },
      { visible: [] },
      { visible: ['shop://a'] },
    ]
    const first = await Promise.all(partitions.map((partition) => get({ partition })))
    expect(compute).toHaveBeenCalledTimes(partitions.length)
    const second = await Promise.all(partitions.map((partition) => get({ partition })))
    expect(compute).toHaveBeenCalledTimes(partitions.length)
    const members = (outcomes: readonly (Outcome | null)[]) =>
      outcomes.map((outcome) => outcome?.kind === 'result' && outcome.members)
    expect(members(second)).toEqual(members(first))
    expect(new Set(members(first)).size).toBe(partitions.length)
  })

  test('contains the version, so that no deploy serves the results of an earlier one', async () => {
    let deployed = 'v1'
    const { get } = createStage({ version: () => deployed })
    await get()
    deployed = 'v2'
    expect(await get()).toEqual(miss('2'))
    deployed = 'v1'
    expect(await get()).toEqual(hit('1', 0))
  })

  test('contains the parameters', async () => {
    const { get } = createStage()
    const page = (cursor: string) => ({ request: { method: 'resources/list', cursor } as const })
    const id = crypto.randomUUID()
    expect(await get(page(`${id}-1`))).toEqual(miss('1'))
    expect(await get(page(`${id}-2`))).toEqual(miss('2'))
    expect(await get(page(`${id}-1`))).toEqual(hit('1', 0))
  })
})

describe('an outcome that is only for its caller', () => {
  test.each<[string, Outcome]>([
    ['an error of a tool', isError],
    ['a failure', fail({ kind: 'failed', why: 'Closed.' })],
    [
      'a resource that is gone',
      fail({ kind: 'resource-not-found', why: 'Not found.', uri: 'shop://a' }),
    ],
    ['a question', { kind: 'input-required', members: '' }],
  ])('is computed each time: %s', async (_, outcome) => {
    const { get, compute } = createStage({ make: () => outcome })
    expect(await get()).toMatchObject(outcome)
    expect(await get()).toMatchObject(outcome)
    expect(compute).toHaveBeenCalledTimes(2)
  })

  test.each<[string, Outcome]>([
    ['an error of a tool', isError],
    ['a failure', fail({ kind: 'failed', why: 'Closed.' })],
  ])('does not replace the cached result: %s', async (_, outcome) => {
    const { get, settled } = createStage({ make: (run) => (run === 1 ? result('1') : outcome) })
    await get()
    after(60_000)
    expect(await get()).toEqual(hit('1', 60))
    await settled()
    expect(await get()).toEqual(hit('1', 60))
    after(90_000)
    expect(await get()).toMatchObject(outcome)
  })

  // as Workers Cache does with a 404
  test('replaces the cached result where the resource is gone', async () => {
    const gone = fail({ kind: 'resource-not-found', why: 'Not found.', uri: 'shop://a' })
    const { get, settled } = createStage({ make: (run) => (run === 1 ? result('1') : gone) })
    await get()
    after(60_000)
    await get()
    await settled()
    expect(await get()).toEqual(gone)
  })

  test('is an error where nothing is cached under the key', async () => {
    const store = new ColoStore(
      async () => null,
      () => 'v1',
      new PurgeTimes(),
    )
    const request = { method: 'resources/read', uri: `shop://${crypto.randomUUID()}` } as const
    const lookup = { request, partition: {}, lifetime }
    const reading = store.get(toCacheUrl(request), lookup, toCacheContext())
    await expect(reading).rejects.toThrow('Nothing is cached for resources/read.')
  })
})

describe('200 callers at once', () => {
  test('compute the result once', async () => {
    const { get, compute } = createStage()
    const answers = await Promise.all(Array.from({ length: 200 }, () => get()))
    expect(compute).toHaveBeenCalledTimes(1)
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
      new Set([JSON.stringify(miss('1'))]),
    )
  })

  test('compute a new result once while it is stale, and do not wait for it', async () => {
    const { get, compute, settled } = createStage()
    await get()
    after(60_000)
    const answers = await Promise.all(Array.from({ length: 200 }, () => get()))
    await settled()
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
      new Set([JSON.stringify(hit('1', 60))]),
    )
    expect(compute).toHaveBeenCalledTimes(2)
  })

  test('in two partitions do not get each other’s result', async () => {
    const { get, compute } = createStage()
    const ask = (subject: string) =>
      get({ partition: { caller: { subject, scopes: [], claims: {} } } })
    const all = Array.from({ length: 200 }, (_, number) => ask(number % 2 === 0 ? 'ada' : 'bob'))
    const texts = (await Promise.all(all)).map((answer) => JSON.stringify(answer))
    expect(compute).toHaveBeenCalledTimes(2)
    expect(new Set(texts.filter((_, number) => number % 2 === 0)).size).toBe(1)
    expect(new Set(texts).size).toBe(2)
  })
})

describe('a purge', () => {
  test('reaches a result that was made in the same millisecond', async () => {
    const { get, purges } = createStage()
    expect(await get()).toEqual(miss('1'))
    purges.add(['uri:a'])
    expect(await get()).toEqual(miss('2'))
  })

  test.each([
    [['uri:a'], true],
    [['URI:A'], true],
    ['everything', true],
    [['uri:b'], false],
  ] as const)('of %j reaches an earlier result: %s', async (tags, isPurged) => {
    const { get, purges } = createStage()
    await get()
    after(1_000)
    purges.add(tags)
    after(1_001)
    expect(await get()).toEqual(isPurged ? miss('2') : hit('1', 1))
  })

  test('does not reach a later result', async () => {
    const { get, purges } = createStage()
    await get()
    after(1_000)
    purges.add(['uri:a'])
    after(1_001)
    await get()
    after(2_001)
    expect(await get()).toEqual(hit('2', 1))
  })

  /** A stage whose first result is being computed until a test ends it. */
  function createSlowStage() {
    const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const stage = createStage({
      async make(run) {
        if (run > 1) return result(`${run}`)
        begun.resolve()
        await end.promise
        return result('1')
      },
    })
    return { ...stage, begun: begun.promise, end: end.resolve }
  }

  test('reaches a result that is being computed, which may not contain the change', async () => {
    const { get, purges, begun, end } = createSlowStage()
    const first = get()
    await begun
    after(1_000)
    purges.add(['uri:a'])
    after(2_000)
    end()
    await first
    expect(await get()).toEqual(miss('2'))
  })

  test('makes later requests compute a new result, without waiting for the old one', async () => {
    const { get, purges, begun, end } = createSlowStage()
    const first = get()
    await begun
    after(1_000)
    purges.add(['uri:a'])
    after(1_001)
    try {
      expect(await Promise.race([get(), scheduler.wait(50)])).toEqual(miss('2'))
    } finally {
      end()
      await first
    }
  })
})

describe('a cache that fails', () => {
  test('to open fails the look-up', async () => {
    vi.spyOn(caches, 'open').mockRejectedValue(new Error('no cache'))
    await expect(createStage().get()).rejects.toThrow('no cache')
  })

  test('to store a result still returns the result', async () => {
    const cache = await caches.open('helve')
    vi.spyOn(cache, 'put').mockRejectedValue(new Error('full'))
    vi.spyOn(caches, 'open').mockResolvedValue(cache)
    const { get, compute } = createStage()
    expect(await get()).toEqual(miss('1'))
    expect(compute).toHaveBeenCalledTimes(1)
  })
})

describe('a purge by name', () => {
  test.each([
    [{ tools: ['add'] }, ['tool:add'], true],
    [{ tools: 'all' }, ['tools'], true],
    [{ lists: true }, ['resources'], true],
    ['everything', ['tool:add'], true],
    [{ tools: ['add'] }, ['tool:subtract'], false],
    [{}, ['tool:add'], false],
  ] as const)('of %j is remembered for the tags %j: %s', async (what, tags, isPurged) => {
    const times = new PurgeTimes()
    const began = Date.now()
    const store = new ColoStore(
      async () => null,
      () => 'v1',
      times,
    )
    await store.purge(what)
    expect(times.last(tags) >= began).toBe(isPurged)
  })
})
