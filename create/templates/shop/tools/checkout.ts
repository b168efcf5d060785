import { defineTool, form, ToolError } from 'helve'
import * as z from 'zod'
import { sumCents } from './_products.ts'
import basket from './basket.ts'

export default defineTool({
  description: 'Pays for everything in a basket, after the user confirms, and ends the basket.',
  hints: { destructive: true },
  uses: { basket },
  output: z.object({ order: z.string(), totalCents: z.int() }),
  async ask({ use }) {
    // here the basket can only be read: `ask` may run several times
    const cents = sumCents((await use.basket.read()).items)
    if (cents === 0) throw new ToolError('The basket is empty. Add products with add_item first.')
    const message = `Pay €${(cents / 100).toFixed(2)}?`
    return { confirm: form(message, z.object({ pay: z.boolean() })) }
  },
  async run({ use, answers }) {
    if (!answers.confirm.pay) throw new ToolError('Nothing was charged. The basket is still there.')
    const totalCents = await use.basket.total()
    await use.basket.end()
    return { order: crypto.randomUUID(), totalCents }
  },
})
