import { expect, test } from 'vitest'
import {
  type StateOwner,
  openRoundState,
  roundLifetime,
  sealRoundState,
  toBound,
} from '../../../../src/mcp/questions/request-state.ts'
import type { SavedResponse, RoundState } from '../../../../src/mcp/questions/rounds.ts'
import { createSealer, maxSealedLength } from '../../../../src/util/seal.ts'

const sealer = createSealer(['s'.repeat(32)], 'request-state')
const now = 1_764_500_000_000
const state: RoundState = {
  round: 3,
  nonce: 'n',
  asked: new Map([
    ['confirm', 'd1'],
    ['__proto__', 'd2'],
  ]),
  saved: new Map<string, SavedResponse>([
    ['name', { digest: 'd3', response: { action: 'accept', content: { name: 'Änn' } } }],
    ['nothing', { digest: 'd4', response: null }],
    ['constructor', { digest: 'd5', response: 0 }],
  ]),
}

async function seal(value: RoundState): Promise<string> {
  const sealed = await sealRoundState(sealer, value, 'bound', now)
  if (sealed.kind !== 'sealed') throw new Error(`the state is ${sealed.kind}`)
  return sealed.requestState
}

test('comes back as it was sealed', async () => {
  expect(await openRoundState(sealer, await seal(state), 'bound', now)).toEqual(state)
})

test.each([
  ['just before its time is over', roundLifetime - 1, true],
  ['when its time is over', roundLifetime, false],
  ['long after', roundLifetime * 100, false],
])('%s, it opens: %s', async (_, later, opens) => {
  const opened = await openRoundState(sealer, await seal(state), 'bound', now + later)
  expect(opened !== null).toBe(opens)
})

test('a state of exactly the greatest length is sealed, and one character more is too large', async () => {
  const sealWith = (response: string) => {
    const saved = new Map([['answer', { digest: 'd', response }]])
    return sealRoundState(sealer, { ...state, saved }, 'bound', now)
  }
  const room = Math.floor((maxSealedLength * 3) / 4)
  const all = await Promise.all(
    Array.from({ length: 400 }, (_, less) => sealWith('x'.repeat(room - less))),
  )
  const sealed = all.flatMap((one) => (one.kind === 'sealed' ? [one.requestState.length] : []))
  const tooLarge = all.flatMap((one) => (one.kind === 'too-large' ? [one.length] : []))
  expect(Math.max(...sealed)).toBe(maxSealedLength)
  expect(Math.min(...tooLarge)).toBe(maxSealedLength + 1)
})

test('every invalid state returns the same null', async () => {
  const text = await seal(state)
  const spoilt = ['', 'garbage', `${text}-TAMPERED`, text.slice(1), text.slice(0, -1)]
  const opened = await Promise.all(
    spoilt.map(async (text) => openRoundState(sealer, text, 'bound', now)),
  )
  expect(opened).toEqual(spoilt.map(() => null))
  expect(await openRoundState(sealer, text, 'other', now)).toBeNull()
})

const sound = { expires: now + 1, round: 1, nonce: 'n', asked: [], kept: [] }

test('opens what has its structure', async () => {
  const opened = await openRoundState(sealer, await sealer.seal(sound, 'bound'), 'bound', now)
  expect(opened).toEqual({ round: 1, nonce: 'n', asked: new Map(), saved: new Map() })
})

test.each<[string, object]>([
  ['a list', []],
  ['nothing', {}],
  ['no expiry', { ...sound, expires: undefined }],
  ['an expiry in words', { ...sound, expires: 'tomorrow' }],
  ['a round in words', { ...sound, round: '1' }],
  ['no nonce', { ...sound, nonce: undefined }],
  ['questions by key', { ...sound, asked: { confirm: 'd' } }],
  ['a question without a digest', { ...sound, asked: [['confirm']] }],
  ['a question that is no pair', { ...sound, asked: ['confirm'] }],
  ['an answer without a response', { ...sound, kept: [['confirm', 'd']] }],
  ['an answer under a number', { ...sound, kept: [[1, 'd', {}]] }],
])('does not open what another version sealed: %s', async (_, packed) => {
  expect(await openRoundState(sealer, await sealer.seal(packed, 'bound'), 'bound', now)).toBeNull()
})

/** A state that grows by one byte with each of `size`. */
const ofSize = (size: number): RoundState => ({
  ...state,
  saved: new Map([['a', { digest: 'd', response: 'x'.repeat(size) }]]),
})

test('a state that is too large is not sent, and its length is returned', async () => {
  const sealed = await sealRoundState(sealer, ofSize(maxSealedLength), 'bound', now)
  expect(sealed).toEqual({ kind: 'too-large', length: expect.any(Number) })
  expect('length' in sealed && sealed.length).toBeGreaterThan(maxSealedLength)
})

test('up to the largest length a state is sent, and opens again', async () => {
  const { length } = await seal(ofSize(0))
  const fitting = Math.floor(((maxSealedLength - length) * 3) / 4)
  const text = await seal(ofSize(fitting))
  expect(maxSealedLength - text.length).toBeLessThan(4)
  expect(await openRoundState(sealer, text, 'bound', now)).not.toBeNull()
  expect(await sealRoundState(sealer, ofSize(fitting + 4), 'bound', now)).toMatchObject({
    kind: 'too-large',
  })
})

const owner: StateOwner = {
  server: 'shop',
  method: 'tools/call',
  name: 'checkout',
  input: { basket: 'a', count: 1 },
  caller: 'c',
}

test('the order of arguments does not change what a state is bound to', async () => {
  expect(await toBound({ ...owner, input: { count: 1, basket: 'a' } })).toBe(await toBound(owner))
})

test.each<[string, Partial<StateOwner>]>([
  ['server', { server: 'bank' }],
  ['method', { method: 'prompts/get' }],
  ['name', { name: 'refund' }],
  ['arguments', { input: { basket: 'b', count: 1 } }],
  ['type of an argument', { input: { basket: 'a', count: '1' } }],
  ['caller', { caller: 'd' }],
  ['caller, who is anonymous', { caller: '' }],
  ['split between name and caller', { name: 'check', caller: 'outc' }],
])('a state is bound to its %s', async (_, change) => {
  expect(await toBound({ ...owner, ...change })).not.toBe(await toBound(owner))
})
