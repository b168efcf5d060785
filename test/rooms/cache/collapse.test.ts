import { afterEach, describe, expect, test, vi } from 'vitest'
import { createCollapse } from '../../../src/cache/colo-store.ts'

afterEach(() => void vi.useRealTimers())

/** Work that ends when it is told to, and counts how often it was begun. */
function createWork() {
  const runs: PromiseWithResolvers<string>[] = []
  return {
    runs,
    work: () => {
      const run = Promise.withResolvers<string>()
      runs.push(run)
      return run.promise
    },
  }
}

const ignore = (): void => {}

test('200 that ask for the same at once have it done once', async () => {
  const collapse = createCollapse<string>()
  const { runs, work } = createWork()
  const asked = Array.from({ length: 200 }, () => collapse('a', ignore, work))
  expect(runs).toHaveLength(1)
  runs[0]?.resolve('done')
  expect(new Set(await Promise.all(asked))).toEqual(new Set(['done']))
})

test('who asks for something else does not wait', async () => {
  const collapse = createCollapse<string>()
  const { runs, work } = createWork()
  const [a, b] = [collapse('a', ignore, work), collapse('b', ignore, work)]
  expect(runs).toHaveLength(2)
  runs[1]?.resolve('b')
  expect(await b).toBe('b')
  runs[0]?.resolve('a')
  expect(await a).toBe('a')
})

test('who comes when it is over has it done again', async () => {
  const collapse = createCollapse<string>()
  const work = vi.fn<() => Promise<string>>(async () => 'done')
  await collapse('a', ignore, work)
  await collapse('a', ignore, work)
  expect(work).toHaveBeenCalledTimes(2)
})

describe('where the work fails', () => {
  test('it fails for who began it, and others do it themselves', async () => {
    const collapse = createCollapse<string>()
    const own = Promise.withResolvers<string>()
    const first = collapse('a', ignore, () => own.promise)
    const second = collapse('a', ignore, async () => 'alone')
    own.reject(new Error('broken'))
    await expect(first).rejects.toThrow('broken')
    expect(await second).toBe('alone')
  })

  test('nobody is stuck with it', async () => {
    const collapse = createCollapse<string>()
    const broken = () => Promise.reject(new Error('broken'))
    await expect(collapse('a', ignore, broken)).rejects.toThrow('broken')
    expect(await collapse('a', ignore, async () => 'mended')).toBe('mended')
  })

  test('those who waited have it done once more, not each alone', async () => {
    const collapse = createCollapse<string>()
    const own = Promise.withResolvers<string>()
    const first = collapse('a', ignore, () => own.promise)
    const { runs, work } = createWork()
    const others = Array.from({ length: 20 }, () => collapse('a', ignore, work))
    own.reject(new Error('broken'))
    await expect(first).rejects.toThrow('broken')
    await vi.waitFor(() => expect(runs.length).toBeGreaterThan(0))
    for (const run of runs) run.resolve('done')
    await Promise.all(others)
    expect(runs).toHaveLength(1)
  })
})

describe('the request that began it', () => {
  test('keeps the Worker alive for it, though its client may leave', async () => {
    const collapse = createCollapse<string>()
    const { runs, work } = createWork()
    const kept: Promise<unknown>[] = []
    void collapse('a', (promise) => void kept.push(promise), work)
    void collapse('a', (promise) => void kept.push(promise), work)
    expect(kept).toHaveLength(1)
    runs[0]?.resolve('done')
    await Promise.all(kept)
  })

  test('is not held responsible twice where it fails', async () => {
    const collapse = createCollapse<string>()
    const kept: Promise<unknown>[] = []
    const failing = collapse(
      'a',
      (promise) => void kept.push(promise),
      () => Promise.reject(new Error('broken')),
    )
    await expect(failing).rejects.toThrow('broken')
    expect(await Promise.allSettled(kept)).toMatchObject([{ status: 'fulfilled' }])
  })
})

describe('who waits', () => {
  test('loses patience after half a minute, and does it alone', async () => {
    vi.useFakeTimers()
    const collapse = createCollapse<string>()
    void collapse('a', ignore, () => new Promise(() => {}))
    const alone = vi.fn<() => Promise<string>>(async () => 'alone')
    const waiting = collapse('a', ignore, alone)
    await vi.advanceTimersByTimeAsync(29_999)
    expect(alone).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(await waiting).toBe('alone')
  })

  test('does not wait for what somebody else has lost patience with', async () => {
    vi.useFakeTimers()
    const collapse = createCollapse<string>()
    // its request was cut off: in workerd nothing of it ever runs again
    void collapse('a', ignore, () => new Promise(() => {}))
    const second = collapse('a', ignore, async () => 'second')
    await vi.advanceTimersByTimeAsync(30_000)
    expect(await second).toBe('second')
    expect(await collapse('a', ignore, async () => 'third')).toBe('third')
  })

  test('is not told what is for nobody else', async () => {
    const collapse = createCollapse<string>((value) => value !== 'a fault')
    const first = collapse('a', ignore, async () => 'a fault')
    expect(await collapse('a', ignore, async () => 'an answer')).toBe('an answer')
    expect(await first).toBe('a fault')
  })

  test('leaves no timer behind', async () => {
    vi.useFakeTimers()
    const collapse = createCollapse<string>()
    const { runs, work } = createWork()
    const asked = [collapse('a', ignore, work), collapse('a', ignore, work)]
    expect(vi.getTimerCount()).toBe(1)
    runs[0]?.resolve('done')
    await Promise.all(asked)
    expect(vi.getTimerCount()).toBe(0)
  })
})
