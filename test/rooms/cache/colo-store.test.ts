import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createColoStore } from '../../../src/cache/colo-store.ts'
import type { ComputeResult, KeepSite, CacheLookup } from '../../../src/cache/read-through.ts'
import { toCacheUrl } from '../../../src/cache/cache-key.ts'
import { type PurgeTimes, createPurgeTimes } from '../../../src/cache/purge.ts'
import { type Outcome, fail, toMembers } from '../../../src/protocol/outcome.ts'
import { toExchange } from '../exchange.ts'

/*
 * Against the Cache API of workerd. Its own clock runs on whatever Date says here, and its entries
 * outlive a test: no two tests may ask for the same.
 */

const start = Date.parse('2026-12-01T12:00:00Z')
beforeEach(() => void vi.useFakeTimers({ now: start, toFake: ['Date'] }))
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const keeping = { ttlMs: 60_000, staleMs: 30_000, tags: ['uri:a'] }
const result = (text: string): Outcome => ({ kind: 'result', members: toMembers({ text }) })
const isError: Outcome = { kind: 'result', members: toMembers({ content: [], isError: true }) }

interface Changes {
  readonly make?: (run: number) => Outcome | Promise<Outcome>
  readonly version?: (env: object) => string
  readonly purges?: PurgeTimes
}

/** A store of one isolate, what is made for it, and what goes on when its callers have been answered. */
function createStage({ make = (run) => result(`${run}`), ...changes }: Changes = {}) {
  const { version = () => 'v1', purges = createPurgeTimes() } = changes
  const background: Promise<unknown>[] = []
  let runs = 0
  const fill = vi.fn<ComputeResult>(async (_lookup, _audience, _site) => {
    runs += 1
    return { outcome: await make(runs), lifetime }
  })
  const store = createColoStore(fill, version, purges)
  const site: KeepSite = toExchange({ waitUntil: (work) => void background.push(work) })
  const uri = `shop://${crypto.randomUUID()}`
  return {
    fill,
    purges,
    settled: () => Promise.all(background),
    /** What a caller gets; alike unless a test says otherwise. */
    get: (changes: Partial<CacheLookup> = {}): Promise<Outcome | null> => {
      const lookup = changes.request ?? ({ method: 'resources/read', uri } as const)
      const wanted = { audience: {}, keeping, ...changes, lookup }
      return store.get(toCacheUrl(lookup), wanted, site)
    },
  }
}

const after = (ms: number): void => void vi.setSystemTime(start + ms)
const hit = (text: string, age: number) => ({
  ...result(text),
  kept: { isHit: true, age, ttlMs: 60_000 },
})
const miss = (text: string) => ({
  ...result(text),
  kept: { isHit: false, age: 0, ttlMs: 60_000 },
})

describe('an answer', () => {
  test('is made once, and says how old it is from then on', async () => {
    const { get, fill } = createStage()
    expect(await get()).toEqual(miss('1'))
    expect(await get()).toEqual(hit('1', 0))
    after(59_999)
    expect(await get()).toEqual(hit('1', 59))
    expect(fill).toHaveBeenCalledTimes(1)
  })

  test('is as old as the beginning of its making', async () => {
    const { get } = createStage({
      make(run) {
        after(5_000)
        return result(`${run}`)
      },
    })
    expect(await get()).toMatchObject({ kept: { isHit: false, age: 5 } })
    expect(await get()).toMatchObject({ kept: { isHit: true, age: 5 } })
  })

  test('is made from its key and nothing else of a request', async () => {
    const { get, fill } = createStage()
    const lookup = {
      method: 'tools/call',
      name: 'add',
      input: { id: crypto.randomUUID() },
    } as const
    await get({ request, partition: { caller: null } })
    expect(fill).toHaveBeenCalledExactlyOnceWith(
      toCacheUrl(lookup),
      { caller: null },
      expect.anything(),
    )
  })

  test.each([60_000, 89_999])(
    'is stale after %d ms, and sent while it is made anew',
    async (ms) => {
      const { get, fill, settled } = createStage()
      await get()
      after(ms)
      expect(await get()).toEqual(hit('1', Math.floor(ms / 1_000)))
      await settled()
      expect(fill).toHaveBeenCalledTimes(2)
      expect(await get()).toEqual(hit('2', 0))
      expect(fill).toHaveBeenCalledTimes(2)
    },
  )

  test('is made anew where it is too old even for that', async () => {
    const { get } = createStage()
    await get()
    after(90_000)
    expect(await get()).toEqual(miss('2'))
    expect(await get()).toEqual(hit('2', 0))
  })

  test('is never sent stale unless that was said', async () => {
    const { get } = createStage()
    const strict = { keeping: { ...keeping, staleMs: 0 } }
    await get(strict)
    after(60_000)
    expect(await get(strict)).toEqual(miss('2'))
  })
})

describe('the key', () => {
  const ada = { caller: { subject: 'ada', scopes: [], claims: {} } }
  const bob = { caller: { subject: 'bob', scopes: [], claims: {} } }

  test('has all of the audience in it', async () => {
    const { get, fill } = createStage()
    const audiences = [
      {},
      { caller: null },
      ada,
      bob,
      { caller: { ...ada.caller, scopes: ['a'] } },
      { caller: { ...ada.caller, claims: { tier: 'gold' } } },
      { visible: [] },
      { visible: ['shop://a'] },
    ]
    const first = await Promise.all(audiences.map((audience) => get({ partition })))
    expect(fill).toHaveBeenCalledTimes(audiences.length)
    const second = await Promise.all(audiences.map((audience) => get({ partition })))
    expect(fill).toHaveBeenCalledTimes(audiences.length)
    const members = (outcomes: readonly (Outcome | null)[]) =>
      outcomes.map((outcome) => outcome?.kind === 'result' && outcome.members)
    expect(members(second)).toEqual(members(first))
    expect(new Set(members(first)).size).toBe(audiences.length)
  })

  test('has the version in it, so that no deploy sends what an earlier one made', async () => {
    let deployed = 'v1'
    const { get } = createStage({ version: () => deployed })
    await get()
    deployed = 'v2'
    expect(await get()).toEqual(miss('2'))
    deployed = 'v1'
    expect(await get()).toEqual(hit('1', 0))
  })

  test('has the parameters in it', async () => {
    const { get } = createStage()
    const page = (cursor: string) => ({ lookup: { method: 'resources/list', cursor } as const })
    const id = crypto.randomUUID()
    expect(await get(page(`${id}-1`))).toEqual(miss('1'))
    expect(await get(page(`${id}-2`))).toEqual(miss('2'))
    expect(await get(page(`${id}-1`))).toEqual(hit('1', 0))
  })
})

describe('an answer that nobody else may be sent', () => {
  test.each<[string, Outcome]>([
    ['an error of a tool', isError],
    ['a failure', fail({ kind: 'failed', why: 'Closed.' })],
    ['what is gone', fail({ kind: 'invalid-params', why: 'Not found.' })],
    ['a question', { kind: 'input-required', members: '' }],
  ])('is made anew each time: %s', async (_, outcome) => {
    const { get, fill } = createStage({ make: () => outcome })
    expect(await get()).toMatchObject(outcome)
    expect(await get()).toMatchObject(outcome)
    expect(fill).toHaveBeenCalledTimes(2)
  })

  test.each<[string, Outcome]>([
    ['an error of a tool', isError],
    ['a failure', fail({ kind: 'failed', why: 'Closed.' })],
  ])('does not take the place of what was there: %s', async (_, outcome) => {
    const { get, settled } = createStage({ make: (run) => (run === 1 ? result('1') : outcome) })
    await get()
    after(60_000)
    expect(await get()).toEqual(hit('1', 60))
    await settled()
    expect(await get()).toEqual(hit('1', 60))
    after(90_000)
    expect(await get()).toMatchObject(outcome)
  })

  // kept-response.ts says so, and Workers Cache does it
  test('takes the place of what was there, where that is gone', async () => {
    const gone = fail({ kind: 'invalid-params', why: 'Not found.' })
    const { get, settled } = createStage({ make: (run) => (run === 1 ? result('1') : gone) })
    await get()
    after(60_000)
    await get()
    await settled()
    expect(await get()).toEqual(gone)
  })

  test('is none at all where nothing is kept by that name', async () => {
    const store = createColoStore(
      async () => null,
      () => 'v1',
      createPurgeTimes(),
    )
    const lookup = { method: 'resources/read', uri: `shop://${crypto.randomUUID()}` } as const
    const answer = store.get(toCacheUrl(lookup), { request, partition: {}, lifetime }, toExchange())
    await expect(answer).rejects.toThrow('Nothing is kept for resources/read.')
  })
})

describe('200 callers at once', () => {
  test('have it made once', async () => {
    const { get, fill } = createStage()
    const answers = await Promise.all(Array.from({ length: 200 }, () => get()))
    expect(fill).toHaveBeenCalledTimes(1)
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
      new Set([JSON.stringify(miss('1'))]),
    )
  })

  test('have what is stale made anew once, and wait for nothing', async () => {
    const { get, fill, settled } = createStage()
    await get()
    after(60_000)
    const answers = await Promise.all(Array.from({ length: 200 }, () => get()))
    await settled()
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
      new Set([JSON.stringify(hit('1', 60))]),
    )
    expect(fill).toHaveBeenCalledTimes(2)
  })

  test('of two audiences do not get each other’s', async () => {
    const { get, fill } = createStage()
    const ask = (subject: string) =>
      get({ partition: { caller: { subject, scopes: [], claims: {} } } })
    const all = Array.from({ length: 200 }, (_, number) => ask(number % 2 === 0 ? 'ada' : 'bob'))
    const texts = (await Promise.all(all)).map((answer) => JSON.stringify(answer))
    expect(fill).toHaveBeenCalledTimes(2)
    expect(new Set(texts.filter((_, number) => number % 2 === 0)).size).toBe(1)
    expect(new Set(texts).size).toBe(2)
  })
})

describe('a purge', () => {
  test.each([
    [['uri:a'], true],
    [['URI:A'], true],
    ['everything', true],
    [['uri:b'], false],
  ] as const)('of %j reaches what was made before: %s', async (tags, isPurged) => {
    const { get, purges } = createStage()
    await get()
    after(1_000)
    purges.add(tags)
    after(1_001)
    expect(await get()).toEqual(isPurged ? miss('2') : hit('1', 1))
  })

  test('is over when it was made anew', async () => {
    const { get, purges } = createStage()
    await get()
    after(1_000)
    purges.add(['uri:a'])
    after(1_001)
    await get()
    after(2_001)
    expect(await get()).toEqual(hit('2', 1))
  })

  /** A stage whose first answer is being made until it is told to end. */
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

  test('reaches what was being made, since it may not have in it what changed', async () => {
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

  test('is not undone by what was being made: who comes then gets the new', async () => {
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
  test('to give anything fails the look-up', async () => {
    vi.spyOn(caches, 'open').mockRejectedValue(new Error('no cache'))
    await expect(createStage().get()).rejects.toThrow('no cache')
  })

  test('to take an answer does not cost its caller that answer', async () => {
    const cache = await caches.open('helve')
    vi.spyOn(cache, 'put').mockRejectedValue(new Error('full'))
    vi.spyOn(caches, 'open').mockResolvedValue(cache)
    const { get, fill } = createStage()
    expect(await get()).toEqual(miss('1'))
    expect(fill).toHaveBeenCalledTimes(1)
  })
})
