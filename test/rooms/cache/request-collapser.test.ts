import { afterEach, describe, expect, test, vi } from 'vitest'
import { RequestCollapser } from '../../../src/cache/colo-store.ts'

afterEach(() => void vi.useRealTimers())

/** Work that ends when a test ends it, and counts how often it was begun. */
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

test('200 requests for the same key at once compute it once', async () => {
  const collapser = new RequestCollapser<string>()
  const { runs, work } = createWork()
  const asked = Array.from({ length: 200 }, () => collapser.run('a', ignore, work))
  expect(runs).toHaveLength(1)
  runs[0]?.resolve('done')
  expect(new Set(await Promise.all(asked))).toEqual(new Set(['done']))
})

test('a request for another key does not wait', async () => {
  const collapser = new RequestCollapser<string>()
  const { runs, work } = createWork()
  const [a, b] = [collapser.run('a', ignore, work), collapser.run('b', ignore, work)]
  expect(runs).toHaveLength(2)
  runs[1]?.resolve('b')
  expect(await b).toBe('b')
  runs[0]?.resolve('a')
  expect(await a).toBe('a')
})

test('a request after the end computes again', async () => {
  const collapser = new RequestCollapser<string>()
  const work = vi.fn<() => Promise<string>>(async () => 'done')
  await collapser.run('a', ignore, work)
  await collapser.run('a', ignore, work)
  expect(work).toHaveBeenCalledTimes(2)
})

describe('a failure', () => {
  test('reaches the request that began, and the others compute the value themselves', async () => {
    const collapser = new RequestCollapser<string>()
    const own = Promise.withResolvers<string>()
    const first = collapser.run('a', ignore, () => own.promise)
    const second = collapser.run('a', ignore, async () => 'alone')
    own.reject(new Error('broken'))
    await expect(first).rejects.toThrow('broken')
    expect(await second).toBe('alone')
  })

  test('does not stay: the next request computes again', async () => {
    const collapser = new RequestCollapser<string>()
    const broken = () => Promise.reject(new Error('broken'))
    await expect(collapser.run('a', ignore, broken)).rejects.toThrow('broken')
    expect(await collapser.run('a', ignore, async () => 'mended')).toBe('mended')
  })

  test('makes those who waited compute once more together, not each alone', async () => {
    const collapser = new RequestCollapser<string>()
    const own = Promise.withResolvers<string>()
    const first = collapser.run('a', ignore, () => own.promise)
    const { runs, work } = createWork()
    const others = Array.from({ length: 20 }, () => collapser.run('a', ignore, work))
    own.reject(new Error('broken'))
    await expect(first).rejects.toThrow('broken')
    await vi.waitFor(() => expect(runs.length).toBeGreaterThan(0))
    for (const run of runs) run.resolve('done')
    await Promise.all(others)
    expect(runs).toHaveLength(1)
  })
})

describe('the request that began', () => {
  test('keeps the Worker alive for the work, even if its client leaves', async () => {
    const collapser = new RequestCollapser<string>()
    const { runs, work } = createWork()
    const background: Promise<unknown>[] = []
    void collapser.run('a', (promise) => void background.push(promise), work)
    void collapser.run('a', (promise) => void background.push(promise), work)
    expect(background).toHaveLength(1)
    runs[0]?.resolve('done')
    await Promise.all(background)
  })

  test('sees a failure only once, not in `waitUntil` too', async () => {
    const collapser = new RequestCollapser<string>()
    const background: Promise<unknown>[] = []
    const failing = collapser.run(
      'a',
      (promise) => void background.push(promise),
      () => Promise.reject(new Error('broken')),
    )
    await expect(failing).rejects.toThrow('broken')
    expect(await Promise.allSettled(background)).toMatchObject([{ status: 'fulfilled' }])
  })
})

describe('a request that waits', () => {
  test('computes the value itself after half a minute', async () => {
    vi.useFakeTimers()
    const collapser = new RequestCollapser<string>()
    void collapser.run('a', ignore, () => new Promise(() => {}))
    const alone = vi.fn<() => Promise<string>>(async () => 'alone')
    const waiting = collapser.run('a', ignore, alone)
    await vi.advanceTimersByTimeAsync(29_999)
    expect(alone).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(await waiting).toBe('alone')
  })

  test('does not wait for work that another request has given up on', async () => {
    vi.useFakeTimers()
    const collapser = new RequestCollapser<string>()
    // its request was cancelled: workerd never resumes it
    void collapser.run('a', ignore, () => new Promise(() => {}))
    const second = collapser.run('a', ignore, async () => 'second')
    await vi.advanceTimersByTimeAsync(30_000)
    expect(await second).toBe('second')
    expect(await collapser.run('a', ignore, async () => 'third')).toBe('third')
  })

  test('does not get a value that is only for the request that computed it', async () => {
    const collapser = new RequestCollapser<string>((value) => value !== 'a fault')
    const first = collapser.run('a', ignore, async () => 'a fault')
    expect(await collapser.run('a', ignore, async () => 'an answer')).toBe('an answer')
    expect(await first).toBe('a fault')
  })

  test('leaves no timer behind', async () => {
    vi.useFakeTimers()
    const collapser = new RequestCollapser<string>()
    const { runs, work } = createWork()
    const asked = [collapser.run('a', ignore, work), collapser.run('a', ignore, work)]
    expect(vi.getTimerCount()).toBe(1)
    runs[0]?.resolve('done')
    await Promise.all(asked)
    expect(vi.getTimerCount()).toBe(0)
  })
})
