import { expect, test } from 'vitest'
import { createSealer, maxSealedLength, readSecrets } from '../../../src/util/seal.ts'

const [first, second] = ['f'.repeat(32), 's'.repeat(32)]
const sealer = createSealer([first], 'test')
const value = { round: 1, text: 'Grüße, 世界 \ud83d\ude00', list: [null, true] }

test('opens what it sealed', async () => {
  expect(await sealer.open(await sealer.seal(value, 'bound'), 'bound')).toEqual(value)
})

test('shows nothing of the value, and never the same text twice', async () => {
  const one = await sealer.seal({ secret: 'hunter2' }, '')
  expect(one).toMatch(/^1\.[\w-]+$/)
  expect(atob(one.slice(2).replaceAll('-', '+').replaceAll('_', '/'))).not.toContain('hunter2')
  expect(await sealer.seal({ secret: 'hunter2' }, '')).not.toBe(one)
})

test('does not open with any one character changed', async () => {
  const text = await sealer.seal({ a: 1 }, 'bound')
  const spoilt = Array.from(text, (character, index) => {
    const other = character === 'A' ? 'B' : 'A'
    return text.slice(0, index) + other + text.slice(index + 1)
  })
  const opened = await Promise.all(spoilt.map(async (text) => sealer.open(text, 'bound')))
  expect(opened).toEqual(spoilt.map(() => null))
})

test('does not open when it is cut at any place', async () => {
  const text = await sealer.seal({ a: 1 }, 'bound')
  const cut = Array.from(text, (_, index) => [text.slice(0, index), text.slice(index + 1)]).flat()
  const opened = await Promise.all(cut.map(async (text) => sealer.open(text, 'bound')))
  expect(opened).toEqual(cut.map(() => null))
})

test.each(['', '1.', '1.AAAA', '2.AAAA', 'garbage', '1.not base64url!', '1.+/+/', '\0', '1.ü'])(
  'does not open "%s"',
  async (text) => {
    expect(await sealer.open(text, 'bound')).toBeNull()
  },
)

test.each([
  ['padding', (text: string) => `${text}=`],
  ['white space', (text: string) => `${text}\n`],
  ['a suffix', (text: string) => `${text}-TAMPERED`],
  ['no version', (text: string) => text.slice(2)],
  ['another version', (text: string) => `2${text.slice(1)}`],
])('does not open with %s', async (_, spoil) => {
  expect(await sealer.open(spoil(await sealer.seal(value, 'bound')), 'bound')).toBeNull()
})

test('does not open for another bound', async () => {
  const text = await sealer.seal(value, 'alice')
  expect(await sealer.open(text, 'bob')).toBeNull()
  expect(await sealer.open(text, '')).toBeNull()
})

test('does not open for another purpose or under another secret', async () => {
  const text = await sealer.seal(value, 'bound')
  expect(await createSealer([first], 'other').open(text, 'bound')).toBeNull()
  expect(await createSealer([second], 'test').open(text, 'bound')).toBeNull()
})

test('opens under every secret and seals under the first, so that keys can be changed', async () => {
  const rotated = createSealer([second, first], 'test')
  expect(await rotated.open(await sealer.seal(value, 'bound'), 'bound')).toEqual(value)
  const text = await rotated.seal(value, 'bound')
  expect(await createSealer([second], 'test').open(text, 'bound')).toEqual(value)
  expect(await sealer.open(text, 'bound')).toBeNull()
})

test('opens text of exactly the greatest length', async () => {
  const longest = { long: 'x'.repeat(6_103) }
  const text = await sealer.seal(longest, 'bound')
  expect(text).toHaveLength(maxSealedLength)
  expect(await sealer.open(text, 'bound')).toEqual(longest)
})

test('does not look at text that is too long, though it sealed it', async () => {
  const text = await sealer.seal({ long: 'x'.repeat(maxSealedLength) }, 'bound')
  expect(text.length).toBeGreaterThan(maxSealedLength)
  expect(await sealer.open(text, 'bound')).toBeNull()
})

test('needs a secret', () => {
  expect(() => createSealer([], 'test')).toThrow('at least one secret')
})

const one = 'a'.repeat(32)
const other = 'b'.repeat(44)

test('reads one secret or several, in their order', () => {
  expect(readSecrets(one)).toEqual([one])
  expect(readSecrets(`${other},${one}`)).toEqual([other, one])
})

test('does not count white space, such as the newline of a piped file', () => {
  expect(readSecrets(` ${one} , ${other}\n`)).toEqual([one, other])
})

test.each(['', 'a'.repeat(31), `${one},`, `${one},short`, `short,${one}`])(
  'refuses "%s" and says how to make a good one',
  (text) => {
    expect(() => readSecrets(text)).toThrow(RangeError)
    expect(() => readSecrets(text)).toThrow(
      /openssl rand -base64 32.*wrangler secret put STATE_KEY/,
    )
  },
)

test('does not show the secret that it refuses', () => {
  expect(() => readSecrets('hunter2')).toThrow(/^(?!.*hunter2)/)
})
