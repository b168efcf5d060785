import { expectTypeOf } from 'vitest'
import * as z from 'zod'
import { type Answers, type Questions, carry } from '../../src/define/question.ts'
import { form, link } from '../../src/define/elicitation.ts'
import { type Root, type Sampled, roots, sample } from '../../src/define/sampling.ts'

const pay = z.object({ pay: z.boolean() })
interface Pay {
  pay: boolean
}
interface Refusal {
  readonly action: 'decline' | 'cancel'
}
declare const big: boolean
declare const price: number

// every kind of question says what its answer is
const all = {
  confirm: form('Pay?', pay),
  told: form('Pay?', pay, { declined: 'tell' }),
  free: form('Pay?', pay, { unasked: 'accept' }),
  day: form('When?', z.object({ day: z.iso.date().transform((text) => new Date(text)) })),
  raw: form('What?', { type: 'object', properties: {} }),
  login: link('Log in', 'https://a.example/'),
  toldLogin: link('Log in', 'https://a.example/', { declined: 'tell' }),
  written: sample({ messages: [], maxTokens: 10 }),
  folders: roots(),
  quote: carry(price),
} satisfies Questions
type All = Answers<typeof all>
expectTypeOf<All['confirm']>().toEqualTypeOf<Pay>()
expectTypeOf<All['told']>().toEqualTypeOf<
  { readonly action: 'accept'; readonly content: Pay } | Refusal
>()
expectTypeOf<All['free']>().toEqualTypeOf<Pay>()
expectTypeOf<All['day']>().toEqualTypeOf<{ day: Date }>()
expectTypeOf<All['raw']>().toEqualTypeOf<unknown>()
expectTypeOf<All['login']>().toEqualTypeOf<undefined>()
expectTypeOf<All['toldLogin']>().toEqualTypeOf<{ readonly action: 'accept' } | Refusal>()
expectTypeOf<All['written']>().toEqualTypeOf<Sampled>()
expectTypeOf<All['folders']>().toEqualTypeOf<readonly Root[]>()
expectTypeOf<All['quote']>().toEqualTypeOf<number>()

// an answer is certain where its question is, and optional where it is not
const sometimes = () => ({
  confirm: form('Pay?', pay),
  note: big ? form('Note?', z.object({ note: z.string() })) : undefined,
})
expectTypeOf<Answers<ReturnType<typeof sometimes>>>().toEqualTypeOf<{
  readonly confirm: Pay
  readonly note?: { note: string }
}>()

const spread = () => ({
  confirm: form('Pay?', pay),
  ...(big ? { note: form('Note?', z.object({ note: z.string() })) } : {}),
})
expectTypeOf<Answers<ReturnType<typeof spread>>>().toEqualTypeOf<{
  readonly confirm: Pay
  readonly note?: { note: string }
}>()

const next = () => {
  if (big) return { confirm: form('Pay?', pay) }
  return price > 1 ? { note: form('Note?', z.object({ note: z.string() })) } : {}
}
expectTypeOf<Answers<ReturnType<typeof next>>>().toEqualTypeOf<{
  readonly confirm?: Pay
  readonly note?: { note: string }
}>()

declare const answers: Answers<ReturnType<typeof sometimes>>
answers.confirm.pay satisfies boolean
// @ts-expect-error the note may not have been asked for
answers.note.note satisfies string
// @ts-expect-error there is no such question
void answers.other

// @ts-expect-error a declined question is told or ends the call: there is no third way
form('Pay?', pay, { declined: 'ignore' })
// @ts-expect-error a function does not survive the way through the client
carry(() => price)
// @ts-expect-error a schema is needed
form('Pay?')
