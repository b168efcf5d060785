import { defineTool } from 'helve'
import * as z from 'zod'

export default defineTool({
  description: 'Tells what once_pay has taken so far.',
  hints: { readOnly: true },
  output: z.object({ total: z.number() }),
  async run({ env }) {
    return { total: await env.TILL.getByName('till').total() }
  },
})
