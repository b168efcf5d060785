import { describe, expect, test, vi } from 'vitest'
import type { PurgeResult } from '../../../src/cache/listings.ts'
import { createColoPurge, createPurgeTimes, createWorkersPurge } from '../../../src/cache/purge.ts'
import type { Purged } from '../../../src/define/contexts.ts'

const purged: PurgeResult = { success: true, errors: [] }
const limit = { code: 1_134, message: 'You have reached the purge limit.' }

/** A Worker whose `Listings` answers a purge like this. */
function createStage(result: PurgeResult = purged) {
  const purge = vi.fn<(tags: unknown) => Promise<PurgeResult>>(async () => result)
  const Listings = vi.fn<(options: unknown) => object>(() => ({ purge }))
  return { purge, Listings, exports: { Listings } }
}

const openPurge = (narrow: (what: Purged) => Purged) =>
  createWorkersPurge(narrow, createPurgeTimes())

const same = (what: Purged): Purged => what

describe('a purge of Workers Cache', () => {
  test('asks the entrypoint that stores, by tags and as nobody', async () => {
    const { purge, Listings, exports } = createStage()
    await openPurge(same)(exports)({ tools: ['add'], lists: true })
    expect(Listings.mock.calls).toEqual([[{ props: {} }]])
    expect(purge.mock.calls).toEqual([[['tool:add', 'resources']]])
  })

  test('is remembered, for what was begun before it and is stored after it', async () => {
    const times = createPurgeTimes()
    await createWorkersPurge(same, times)(createStage().exports)({ tools: ['add'] })
    expect(times.last(['tool:add'])).toBeGreaterThanOrEqual(Date.now() - 1)
    expect(times.last(['tool:subtract'])).toBe(0)
  })

  test('is narrowed to what may be kept', async () => {
    const { purge, exports } = createStage()
    const narrow = vi.fn<(what: Purged) => Purged>(({ tools = [] }) => ({ tools }))
    await openPurge(narrow)(exports)({ tools: ['add'], lists: true })
    expect(narrow).toHaveBeenCalledExactlyOnceWith({ tools: ['add'], lists: true })
    expect(purge.mock.calls).toEqual([[['tool:add']]])
  })

  test('of what is never kept does not bother the platform', async () => {
    const { Listings, exports } = createStage()
    await openPurge(() => ({}))(exports)({ tools: 'all', lists: true })
    await openPurge(same)(exports)({})
    expect(Listings).not.toHaveBeenCalled()
  })

  test('of everything is one of everything', async () => {
    const { purge, exports } = createStage()
    await openPurge(() => ({}))(exports)('everything')
    expect(purge.mock.calls).toEqual([['everything']])
  })

  test.each([[undefined], [{}], [{ Listings: null }]])(
    'is over at once where there is no entrypoint, as in %j',
    async (exports) => {
      await expect(openPurge(same)(exports)('everything')).resolves.toBeUndefined()
    },
  )

  test('is over at once where the entrypoint has no cache', async () => {
    const { exports } = createStage(null)
    await expect(openPurge(same)(exports)('everything')).resolves.toBeUndefined()
  })

  test('that the platform refuses says why, and what to do', async () => {
    const { exports } = createStage({
      success: false,
      errors: [limit, { code: 1, message: 'No.' }],
    })
    await expect(openPurge(same)(exports)({ lists: true })).rejects.toThrow(
      'The cache was not purged (You have reached the purge limit; No). What is kept there goes on ' +
        'being served until its time is over. Purge again in a minute, and less often: the ' +
        'platform takes a few purges a minute.',
    )
  })

  test('that cannot be asked for fails', async () => {
    const exports = { Listings: () => ({ purge: () => Promise.reject(new Error('overloaded')) }) }
    await expect(openPurge(same)(exports)({ lists: true })).rejects.toThrow('overloaded')
  })
})

describe('a purge of the Cache API', () => {
  test.each([
    [{ tools: ['add'] }, ['tool:add'], true],
    [{ tools: 'all' }, ['tools'], true],
    [{ lists: true }, ['resources'], true],
    ['everything', ['tool:add'], true],
    [{ tools: ['add'] }, ['tool:subtract'], false],
    [{}, ['tool:add'], false],
  ] as const)('of %j is remembered for what has %j: %s', async (what, tags, isPurged) => {
    const times = createPurgeTimes()
    const began = Date.now()
    await createColoPurge(times)(undefined)(what)
    expect(times.last(tags) >= began).toBe(isPurged)
  })
})
