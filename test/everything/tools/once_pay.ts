import { defineTool, form } from 'helve'
import * as z from 'zod'
import { ticks } from './_wait.ts'

export default defineTool({
  description: 'Pays an amount into the till after the user confirms, once for each confirmation.',
  input: z.object({
    amount: z.number().positive(),
    holdMs: z
      .int()
      .min(0)
      .max(20_000)
      .optional()
      .describe('Milliseconds between the payment and its result, for who wants to come between.'),
  }),
  output: z.object({
    paid: z.number().describe('What was paid now: 0 where the user said no.'),
    total: z.number().describe('What was ever paid.'),
  }),
  ask: ({ input }) => ({ confirm: form(`Pay ${input.amount}?`, z.object({ pay: z.boolean() })) }),
  async run({ input: { amount, holdMs = 0 }, answers, env, progress }) {
    const till = env.TILL.getByName('till')
    if (!answers.confirm.pay) return { paid: 0, total: await till.total() }
    const total = await till.pay(amount)
    const end = Date.now() + holdMs
    for await (const done of ticks(100)) {
      if (Date.now() >= end) break
      progress(done)
    }
    return { paid: amount, total }
  },
})
