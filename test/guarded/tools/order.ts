import { defineTool, form } from 'helve'
import * as z from 'zod'

export default defineTool({
  description: 'Places an order after the user confirms, once for each confirmation.',
  input: z.object({ what: z.string() }),
  output: z.object({ order: z.string() }),
  ask: ({ input }) => ({ confirm: form(`Order ${input.what}?`, z.object({ ok: z.boolean() })) }),
  run: () => ({ order: crypto.randomUUID() }),
})
