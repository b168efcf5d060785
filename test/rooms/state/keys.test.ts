import { describe, expect, test } from 'vitest'
import { createKeptValue, createKeySource } from '../../../src/state/state-key.ts'

const [old, current] = ['a'.repeat(32), 'b'.repeat(44)]

/** A hub that counts how often it is asked for its key. */
function createHubStub(...results: (() => Promise<Uint8Array>)[]) {
  const hub = { asked: 0, stateKey: () => (results[hub.asked++] ?? results.at(-1) ?? never)() }
  return hub
}

const never = (): Promise<never> => new Promise(() => {})
const key = (): Promise<Uint8Array> => Promise.resolve(new Uint8Array(32).fill(1))

describe('with STATE_KEY', () => {
  test('its secrets are the keys, the first one first, and the hub is left alone', async () => {
    const hub = createHubStub(key)
    const keys = createKeySource()
    expect(await keys({ STATE_KEY: `${current}, ${old}` }, hub)).toEqual([current, old])
    expect(hub.asked).toBe(0)
  })

  test('the same text gives the same array, another text another', async () => {
    const keys = createKeySource()
    const hub = createHubStub(key)
    const first = await keys({ STATE_KEY: current }, hub)
    expect(await keys({ STATE_KEY: current }, hub)).toBe(first)
    expect(await keys({ STATE_KEY: old }, hub)).toEqual([old])
  })

  test.for(['', 'short', `${current},`])('"%s" is refused with what to do', async (text) => {
    const keys = createKeySource()
    const failing = async () => keys({ STATE_KEY: text }, createHubStub(key))
    await expect(failing).rejects.toThrow(/STATE_KEY.*openssl rand -base64 32/)
  })
})

describe('without STATE_KEY', () => {
  test("the hub's key is fetched once", async () => {
    const hub = createHubStub(key)
    const keys = createKeySource()
    const [first, ...others] = await Promise.all([keys({}, hub), keys({}, hub), keys({}, hub)])
    expect(first).toEqual(['AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE'])
    expect([...others, await keys({}, hub)].every((secrets) => secrets === first)).toBe(true)
    expect(hub.asked).toBe(1)
  })

  test('a failed fetch is tried again by the next request', async () => {
    const hub = createHubStub(() => Promise.reject(new Error('out of reach')), key)
    const keys = createKeySource()
    await expect(async () => keys({}, hub)).rejects.toThrow('out of reach')
    expect(await keys({}, hub)).toHaveLength(1)
  })
})

describe('a value that is fetched once in an isolate', () => {
  test('is fetched anew by who has waited long enough for a fetch that never ends', async () => {
    const keep = createKeptValue<string>(50)
    void keep(never)
    expect(await keep(() => Promise.resolve('mine'))).toBe('mine')
    expect(await keep(never)).toBe('mine')
  })

  test('is not lost to those who wait when the first fetch fails', async () => {
    const keep = createKeptValue<string>(1_000)
    const failing = keep(() => Promise.reject(new Error('out of reach')))
    const waiting = keep(() => Promise.resolve('mine'))
    await expect(async () => failing).rejects.toThrow('out of reach')
    expect(await waiting).toBe('mine')
  })
})
