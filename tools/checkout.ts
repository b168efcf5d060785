import { defineTool, ToolError } from 'helve'
import * as z from 'zod'
import { toBill } from './_basket/bill.ts'
import { largeEur, toCheckoutQuestions } from './_basket/checkout-questions.ts'
import basket from './basket.ts'

export default defineTool({
  title: 'Check out',
  description:
    'Pays for everything in a basket and ends the basket. The user is asked to confirm the total, ' +
    `and from ${largeEur} euros on what the order is for: do not ask on their behalf. An order ` +
    'cannot be taken back with these tools.',
  hints: { destructive: true },
  timeout: '20s',
  uses: { basket },
  output: z.object({
    order: z.string().describe('The number of the order.'),
    total: z.number(),
    currency: z.string(),
    reason: z.string().optional(),
  }),
  async ask({ use, answers }) {
    const bill = toBill(await use.basket.read())
    if (bill.items.length === 0) {
      throw new ToolError('Nothing is in the basket. Put products into it with add_item first.')
    }
    return toCheckoutQuestions(bill, answers['confirm'])
  },
  async run({ use, answers: { confirm, reason } }) {
    if (!confirm.pay) {
      throw new ToolError('Nothing was charged: the user did not want to pay. The basket is there.')
    }
    const { total, currency } = toBill(await use.basket.read())
    await use.basket.end()
    return { order: crypto.randomUUID(), total, currency, ...reason }
  },
})
