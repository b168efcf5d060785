import { describe, expect, test } from 'vitest'
import { createSharedFetch, createStateKeySource } from '../../../src/state/state-key.ts'

const [old, current] = ['a'.repeat(32), 'b'.repeat(44)]

/** A hub that counts the calls of `stateKey`. */
function createHubStub(...results: (() => Promise<Uint8Array>)[]) {
  const hub = { asked: 0, stateKey: () => (results[hub.asked++] ?? results.at(-1) ?? never)() }
  return hub
}

const never = (): Promise<never> => new Promise(() => {})
const key = (): Promise<Uint8Array> => Promise.resolve(new Uint8Array(32).fill(1))

describe('with STATE_KEY', () => {
  test('its secrets are the keys, in order, and the hub is not called', async () => {
    const hub = createHubStub(key)
    const keys = createStateKeySource()
    expect(await keys({ STATE_KEY: `${current}, ${old}` }, hub)).toEqual([current, old])
    expect(hub.asked).toBe(0)
  })

  test('the same text returns the same array, and another text another', async () => {
    const keys = createStateKeySource()
    const hub = createHubStub(key)
    const first = await keys({ STATE_KEY: current }, hub)
    expect(await keys({ STATE_KEY: current }, hub)).toBe(first)
    expect(await keys({ STATE_KEY: old }, hub)).toEqual([old])
  })

  test.for(['', 'short', `${current},`])(
    '"%s" is refused with a sentence that says what to do',
    async (text) => {
      const keys = createStateKeySource()
      const failing = async () => keys({ STATE_KEY: text }, createHubStub(key))
      await expect(failing).rejects.toThrow(/STATE_KEY.*openssl rand -base64 32/)
    },
  )
})

describe('without STATE_KEY', () => {
  test("the hub's key is fetched once", async () => {
    const hub = createHubStub(key)
    const keys = createStateKeySource()
    const [first, ...others] = await Promise.all([keys({}, hub), keys({}, hub), keys({}, hub)])
    expect(first).toEqual(['AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE'])
    expect([...others, await keys({}, hub)].every((secrets) => secrets === first)).toBe(true)
    expect(hub.asked).toBe(1)
  })

  test('the next request retries a failed fetch', async () => {
    const hub = createHubStub(() => Promise.reject(new Error('out of reach')), key)
    const keys = createStateKeySource()
    await expect(async () => keys({}, hub)).rejects.toThrow('out of reach')
    expect(await keys({}, hub)).toHaveLength(1)
  })
})

describe('a shared fetch: its value', () => {
  test('is fetched again by a call that has waited long enough for a fetch that never ends', async () => {
    const keep = createSharedFetch<string>(50)
    void keep(never)
    expect(await keep(() => Promise.resolve('mine'))).toBe('mine')
    expect(await keep(never)).toBe('mine')
  })

  test('is fetched by calls that wait when the first fetch fails', async () => {
    const keep = createSharedFetch<string>(1_000)
    const failing = keep(() => Promise.reject(new Error('out of reach')))
    const waiting = keep(() => Promise.resolve('mine'))
    await expect(async () => failing).rejects.toThrow('out of reach')
    expect(await waiting).toBe('mine')
  })
})
