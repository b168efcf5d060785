import { describe, expect, test, vi } from 'vitest'
import * as z from 'zod'
import {
  type AskFunction,
  type RoundOutcome,
  type RoundState,
  createRoundState,
  maxPasses,
  maxRounds,
  settleRound,
} from '../../../../src/mcp/questions/rounds.ts'
import { carry } from '../../../../src/define/question.ts'
import { form, link } from '../../../../src/define/elicitation.ts'
import type { JsonObject } from '../../../../src/protocol/json.ts'

const name = z.object({ name: z.string().max(5) })
const pay = z.object({ pay: z.boolean() })
const accept = (content: JsonObject) => ({ action: 'accept', content })
const paid = accept({ pay: true })
const ann = accept({ name: 'Ann' })

/** Plays one round after another, as a client would that brings each state back unchanged. */
async function play(ask: AskFunction, ...rounds: readonly JsonObject[]): Promise<RoundOutcome> {
  return rounds.reduce<Promise<RoundOutcome>>(
    async (last, responses) => settleRound(stateOf(await last), ask, responses),
    settleRound(createRoundState('nonce'), ask, {}),
  )
}

function stateOf(outcome: RoundOutcome): RoundState {
  if (outcome.kind !== 'ask') throw new Error(`the round before came to ${outcome.kind}`)
  return outcome.state
}

/** What a round sends, as message by key; `null` where it comes to anything else. */
function sentBy(outcome: RoundOutcome): Record<string, unknown> | null {
  if (outcome.kind !== 'ask') return null
  return Object.fromEntries(
    [...outcome.questions].map(([key, { request }]) => [
      key,
      'params' in request && 'message' in request.params ? request.params.message : request.method,
    ]),
  )
}

const settled = (answers: object) => ({ kind: 'settled', answers })
const confirm: AskFunction = () => ({ confirm: form('Pay 10?', pay) })
const two: AskFunction = () => ({ first: form('First?', name), last: form('Last?', name) })
const told: AskFunction = () => ({ note: form('A note?', name, { declined: 'tell' }) })
const anyName: AskFunction = () => ({ name: form('Name?', name, { unasked: 'accept' }) })
const longer: AskFunction = () => ({ q: form('Name?', name.extend({ name: z.string().max(9) })) })
const flip: AskFunction = ({ q }) => ({ q: form(q === undefined ? 'Yes?' : 'No?', pay) })
const step: AskFunction = () => ({ step: carry({ page: 2 }) })
const ten: AskFunction = () => ({ quote: carry(10) })
const greet: AskFunction = ({ who }) => ({
  who: form('Name?', name),
  confirm: form(`Greet ${JSON.stringify(who)}?`, pay),
})
const chain: AskFunction = ({ one, two }) => ({
  one: form('One?', name),
  two: one === undefined ? undefined : form('Two?', name),
  three: two === undefined ? undefined : form('Three?', name),
})
const twice: AskFunction = ({ one }) => ({
  one: form('Name?', name),
  two: one === undefined ? undefined : form('Name?', name),
})
const next: AskFunction = ({ one, two }) => {
  if (one === undefined) return { one: form('One?', name) }
  if (two === undefined) return { two: form('Two?', name) }
  return {}
}

const ref: AskFunction = () => ({
  k: form(`Ref ${crypto.randomUUID()}?`, z.object({}), { unasked: 'accept' }),
})
const token: AskFunction = () => ({
  k: link('Log in', `https://a.example/?t=${crypto.randomUUID()}`, { unasked: 'accept' }),
})
const heardOnly: AskFunction = () => ({ k: form(`Ref ${crypto.randomUUID()}?`, z.object({})) })
const welcome: AskFunction = ({ who }) => ({
  who: form('Name?', name, { unasked: 'accept' }),
  note: form(`A note to ${JSON.stringify(who)}?`, name, { unasked: 'accept' }),
})
const endless: AskFunction = (answers) => {
  const key = `k${Object.keys(answers).length}`
  return { [key]: form('And?', z.object({}), { unasked: 'accept' }) }
}

/** Rounds in which the client answers nothing. */
const silent = (count: number) => Array.from({ length: count }, () => ({}))

describe('one round', () => {
  test('is settled at once, by asking once, where nothing is asked', async () => {
    const ask = vi.fn<AskFunction>(() => ({}))
    expect(await play(ask)).toEqual(settled({}))
    expect(ask).toHaveBeenCalledOnce()
  })

  test('sends all open questions together', async () => {
    expect(sentBy(await play(two))).toEqual({ first: 'First?', last: 'Last?' })
  })

  test('is settled by their answers', async () => {
    const ask = vi.fn<AskFunction>(two)
    const outcome = await play(ask, { first: ann, last: accept({ name: 'Lee' }) })
    expect(outcome).toEqual(settled({ first: { name: 'Ann' }, last: { name: 'Lee' } }))
    expect(ask).toHaveBeenCalledTimes(3)
  })

  test('does not ask a question that is undefined', async () => {
    expect(await play(() => ({ note: undefined }))).toEqual(settled({}))
  })

  test('reads answers that take their time', async () => {
    const slow = z.object({ name: z.string().refine(async (text) => text === 'Ann') })
    expect(await play(async () => ({ name: form('Name?', slow) }), { name: ann })).toEqual(
      settled({ name: { name: 'Ann' } }),
    )
  })
})

describe('answers of the wrong kind', () => {
  test('valid answers are saved, and only the rest is asked again', async () => {
    expect(sentBy(await play(two, { first: ann }))).toEqual({ last: 'Last?' })
    expect(await play(two, { first: ann }, { last: ann })).toEqual(
      settled({ first: { name: 'Ann' }, last: { name: 'Ann' } }),
    )
  })

  test.each<[string, JsonObject]>([
    ['no answer', {}],
    ['an answer under another key', { wrong: ann }],
    ['an answer too long', { first: accept({ name: 'Annabelle' }), last: ann }],
    ['an answer of another type', { first: 12345, last: ann }],
    ['null for an answer', { first: null, last: ann }],
  ])('%s is asked for again', async (_, responses) => {
    expect(sentBy(await play(two, responses))).toHaveProperty('first')
  })

  test('a saved answer is not replaced by a later one without a question', async () => {
    const outcome = await play(two, { first: ann }, { first: accept({ name: 'Eve' }), last: ann })
    expect(outcome).toMatchObject(settled({ first: { name: 'Ann' } }))
  })

  test('keys that were not asked are ignored', async () => {
    const junk: unknown = JSON.parse('{"__proto__":{},"constructor":{},"toString":1}')
    expect(await play(confirm, { ...Object(junk), x: paid, confirm: paid })).toEqual(
      settled({ confirm: { pay: true } }),
    )
  })

  test.each(['__proto__', 'constructor', 'hasOwnProperty'])(
    '"%s" is a key like any other',
    async (key) => {
      const ask: AskFunction = () => ({ [key]: form('Name?', name) })
      expect(Object.keys(sentBy(await play(ask)) ?? {})).toEqual([key])
      expect(sentBy(await play(ask, {}))).not.toBeNull()
      const outcome = await play(ask, Object.fromEntries([[key, ann]]))
      expect(JSON.stringify(outcome)).toBe(
        JSON.stringify(settled(Object.fromEntries([[key, { name: 'Ann' }]]))),
      )
    },
  )

  test('an answer that is not there is not found on Object.prototype', async () => {
    const ask = vi.fn<AskFunction>(() => ({}))
    await play(ask)
    expect(ask.mock.calls[0]?.[0]['constructor']).toBeUndefined()
  })
})

describe('declined questions', () => {
  test.each(['decline', 'cancel'])('%s ends the call', async (action) => {
    expect(await play(two, { first: { action }, last: ann })).toEqual({
      kind: 'declined',
      key: 'first',
      action,
    })
  })

  test.each(['decline', 'cancel'])(
    '%s is an answer where the author wants to be told',
    async (action) => {
      expect(await play(told, { note: { action } })).toEqual(settled({ note: { action } }))
    },
  )
})

describe('questions that change', () => {
  test('asks again when the basket changed after the question', async () => {
    let total = 10
    const ask: AskFunction = () => ({ confirm: form(`Pay ${total}?`, pay) })
    const state = stateOf(await play(ask))
    total = 20
    const outcome = await settleRound(state, ask, { confirm: paid })
    expect(sentBy(outcome)).toEqual({ confirm: 'Pay 20?' })
    expect(await settleRound(stateOf(outcome), ask, { confirm: paid })).toEqual(
      settled({ confirm: { pay: true } }),
    )
  })

  test('asks again when the basket changed after the answer', async () => {
    let total = 10
    const ask: AskFunction = () => ({
      confirm: form(`Pay ${total}?`, pay),
      name: form('Name?', name),
    })
    const state = stateOf(await play(ask, { confirm: paid }))
    total = 20
    expect(sentBy(await settleRound(state, ask, { name: ann }))).toEqual({ confirm: 'Pay 20?' })
  })

  test('an invalidated answer is not reinstated when its question comes back', async () => {
    let total = 10
    const ask: AskFunction = () => ({
      confirm: form(`Pay ${total}?`, pay),
      name: form('Name?', name),
    })
    const state = stateOf(await play(ask, { confirm: paid }))
    total = 20
    const dearer = await settleRound(state, ask, { name: ann })
    total = 10
    const again = await settleRound(stateOf(dearer), ask, {})
    expect(sentBy(again)).toEqual({ confirm: 'Pay 10?' })
  })

  test('asks again when the schema changed', async () => {
    const state = stateOf(await play(() => ({ q: form('Name?', name) })))
    expect(sentBy(await settleRound(state, longer, { q: ann }))).toEqual({ q: 'Name?' })
  })

  test('an answer does not pass to another key with the same words', async () => {
    const state = stateOf(await play(() => ({ a: form('Sure?', pay) })))
    expect(
      sentBy(await settleRound(state, () => ({ b: form('Sure?', pay) }), { b: paid })),
    ).toEqual({
      b: 'Sure?',
    })
  })

  test('a question whose words depend on an answer is asked in its new words', async () => {
    const sent = { confirm: 'Greet {"name":"Ann"}?' }
    expect(sentBy(await play(greet, { who: ann, confirm: paid }))).toEqual(sent)
    expect(await play(greet, { who: ann, confirm: paid }, { confirm: paid })).toEqual(
      settled({ who: { name: 'Ann' }, confirm: { pay: true } }),
    )
  })

  test('a saved answer that is no longer valid is asked for again', async () => {
    let taken = false
    const free = z.object({ name: z.string().refine(() => !taken) })
    const ask: AskFunction = () => ({ name: form('Name?', free), confirm: form('Sure?', pay) })
    const state = stateOf(await play(ask, { name: ann }))
    taken = true
    expect(sentBy(await settleRound(state, ask, { confirm: paid }))).toEqual({
      name: 'Name?\n\nThe last answer was not accepted. "name" is not valid.',
    })
  })
})

describe('a refused answer', () => {
  const ask: AskFunction = ({ mail }) => ({
    mail: form('Your address?', z.object({ mail: z.email() })),
    sure: form('Sure?', pay),
    more: mail === undefined ? undefined : form('More?', pay),
  })
  const bad = { mail: accept({ mail: 'ann' }) }
  const good = { mail: accept({ mail: 'ann@shop.example' }) }

  test('is asked for again with the reason, and leaves the other answers as they are', async () => {
    const again = await play(ask, { ...bad, sure: paid })
    expect(sentBy(again)).toEqual({
      mail: expect.stringMatching(
        /^Your address\?\n\nThe last answer was not accepted\. "mail" must be an email address/,
      ),
    })
    // the reason is not part of what was asked: the answer to the question with it counts
    const asked = stateOf(await play(ask)).asked.get('mail')
    expect(stateOf(again).asked).toEqual(new Map([['mail', asked]]))
    expect(sentBy(await play(ask, { ...bad, sure: paid }, good))).toEqual({ more: 'More?' })
  })

  test('that is not sent again has no reason in the round after', async () => {
    expect(sentBy(await play(ask, bad, {}))).toEqual({ mail: 'Your address?', sure: 'Sure?' })
  })

  test('to a question that another answer changed has no reason', async () => {
    const changing: AskFunction = ({ sure }) => ({
      mail: form(sure === undefined ? 'One?' : 'Another?', z.object({ mail: z.email() })),
      sure: form('Sure?', pay),
    })
    expect(sentBy(await play(changing, { ...bad, sure: paid }))).toEqual({ mail: 'Another?' })
  })

  test('that is not a form at all has no reason', async () => {
    expect(sentBy(await play(confirm, { confirm: { action: 'maybe' } }))).toEqual({
      confirm: 'Pay 10?',
    })
  })
})

describe('questions that depend on answers', () => {
  const all = settled({ one: { name: 'Ann' }, two: { name: 'Ann' }, three: { name: 'Ann' } })

  test('are asked in later rounds, each once', async () => {
    expect(sentBy(await play(chain))).toEqual({ one: 'One?' })
    expect(sentBy(await play(chain, { one: ann }))).toEqual({ two: 'Two?' })
    expect(sentBy(await play(chain, { one: ann }, { two: ann }))).toEqual({ three: 'Three?' })
    expect(await play(chain, { one: ann }, { two: ann }, { three: ann })).toEqual(all)
  })

  test('are recognised with one run of `ask` for each level', async () => {
    const state = stateOf(await play(chain, { one: ann }, { two: ann }))
    const ask = vi.fn<AskFunction>(chain)
    await settleRound(state, ask, { three: ann })
    expect(ask).toHaveBeenCalledTimes(4)
  })

  test('may be in the same words as the ones before', async () => {
    expect(sentBy(await play(twice, { one: ann }))).toEqual({ two: 'Name?' })
    expect(await play(twice, { one: ann }, { two: ann })).toMatchObject({ kind: 'settled' })
  })

  test('may replace the questions before, whose answers are still there', async () => {
    expect(sentBy(await play(next, { one: ann }))).toEqual({ two: 'Two?' })
    expect(await play(next, { one: ann }, { two: ann })).toEqual(
      settled({ one: { name: 'Ann' }, two: { name: 'Ann' } }),
    )
  })

  test('are not asked because of an invalidated answer', async () => {
    let total = 10
    const ask: AskFunction = ({ confirm }) => ({
      confirm: form(`Pay ${total}?`, pay),
      note: confirm === undefined ? undefined : form('A note?', name),
      gift: confirm === undefined ? undefined : form('A gift?', pay),
    })
    const state = stateOf(await play(ask, { confirm: paid }, { note: ann }))
    total = 20
    const again = await settleRound(state, ask, { gift: paid })
    expect(sentBy(again)).toEqual({ confirm: 'Pay 20?' })
    // the note was about nothing that changed, so it need not be written twice
    expect(sentBy(await settleRound(stateOf(again), ask, { confirm: paid }))).toEqual({
      gift: 'A gift?',
    })
  })

  test('that take themselves back end in rounds, not in a loop', async () => {
    expect(sentBy(await play(flip, { q: paid }))).toEqual({ q: 'Yes?' })
  })
})

describe('answers without our question', () => {
  test('are ignored', async () => {
    const outcome = await settleRound(createRoundState('nonce'), confirm, { confirm: paid })
    expect(sentBy(outcome)).toEqual({ confirm: 'Pay 10?' })
  })

  test('are taken where the author accepts them', async () => {
    const responses = { name: ann, other: ann }
    expect(await settleRound(createRoundState('nonce'), anyName, responses)).toEqual(
      settled({ name: { name: 'Ann' } }),
    )
  })

  test('are still checked where the author accepts them', async () => {
    const outcome = await settleRound(createRoundState('nonce'), anyName, { name: 12345 })
    expect(sentBy(outcome)).toEqual({ name: 'Name?' })
  })
})

describe('questions that change every time', () => {
  const yes = accept({})
  const start = createRoundState('nonce')

  test.each([
    ['a form', ref],
    ['a link', token],
  ])('end the call with an error for the author, not in a loop: %s', async (_, never) => {
    const ask = vi.fn<AskFunction>(never)
    await expect(settleRound(start, ask, { k: yes })).rejects.toThrow(
      'Question "k" changes every time `ask` runs, so no answer can match it.',
    )
    expect(ask.mock.calls.length).toBeLessThan(4)
  })

  test('are asked once, and found out by the answer', async () => {
    const state = stateOf(await play(heardOnly))
    await expect(settleRound(state, heardOnly, { k: yes })).rejects.toThrow(/Question "k" changes/)
  })

  test('are distinguished from a question that changed once', async () => {
    let total = 10
    const ask = vi.fn<AskFunction>(() => ({ k: form(`Pay ${total}?`, z.object({})) }))
    const state = stateOf(await play(ask))
    total = 20
    ask.mockClear()
    expect(sentBy(await settleRound(state, ask, { k: yes }))).toEqual({ k: 'Pay 20?' })
    expect(ask).toHaveBeenCalledTimes(2)
  })

  test('a response without proof is accepted once for a key, however the question changes', async () => {
    const sent = { note: 'A note to {"name":"Ann"}?' }
    const outcome = await settleRound(start, welcome, { who: ann, note: ann })
    expect(sentBy(outcome)).toEqual(sent)
    expect(await settleRound(stateOf(outcome), welcome, { note: ann })).toMatchObject({
      kind: 'settled',
    })
  })

  test(`questions that answers lead on to are followed ${maxPasses} times at most`, async () => {
    const ask = vi.fn<AskFunction>(endless)
    const responses = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`k${n}`, yes]))
    await expect(settleRound(start, ask, responses)).rejects.toThrow(/Ask in fewer steps/)
    expect(ask).toHaveBeenCalledTimes(maxPasses)
  })
})

describe('a value that is not a question', () => {
  test.each([[null], [undefined], ['Sure?'], [{ confirm: null }]])(
    '%j ends the call instead of letting it run unconfirmed',
    async (returned) => {
      const round = settleRound(createRoundState('nonce'), async () => returned, {})
      await expect(round).rejects.toThrow(TypeError)
    },
  )
})

describe('carried values', () => {
  let price = 10
  const quote: AskFunction = ({ quote = price }) => ({
    quote: carry(price),
    confirm: form(`Pay ${String(quote)}?`, pay),
  })

  test('a round that only carries sends no question, and the client comes again', async () => {
    const first = await play(step)
    expect(sentBy(first)).toEqual({})
    expect(stateOf(first).round).toBe(1)
    expect(await play(step, {})).toEqual(settled({ step: { page: 2 } }))
  })

  test('a value stays as it was first carried, so that the question about it stays too', async () => {
    price = 10
    const state = stateOf(await play(quote))
    price = 20
    expect(await settleRound(state, quote, { confirm: paid })).toEqual(
      settled({ quote: 10, confirm: { pay: true } }),
    )
  })

  test('null and false can be carried', async () => {
    expect(await play(() => ({ a: carry(null), b: carry(false) }), {})).toEqual(
      settled({ a: null, b: false }),
    )
  })

  test('a client cannot set a value', async () => {
    const first = await settleRound(createRoundState('nonce'), ten, { quote: 1 })
    expect(sentBy(first)).toEqual({})
    expect(await settleRound(stateOf(first), ten, { quote: 1 })).toEqual(settled({ quote: 10 }))
  })
})

describe('the number of rounds', () => {
  test(`is ${maxRounds} at most`, async () => {
    expect(stateOf(await play(confirm, ...silent(maxRounds - 1))).round).toBe(maxRounds)
    expect(await play(confirm, ...silent(maxRounds))).toEqual({
      kind: 'too-many-rounds',
      problems: ['"confirm" has no valid answer.'],
    })
  })

  test('does not end a call whose last answer has come', async () => {
    expect(await play(confirm, ...silent(maxRounds - 1), { confirm: paid })).toEqual(
      settled({ confirm: { pay: true } }),
    )
  })

  test('the nonce is the same in all rounds of a call', async () => {
    const first = stateOf(await play(confirm))
    expect(stateOf(await settleRound(first, confirm, {})).nonce).toBe(first.nonce)
  })
})
