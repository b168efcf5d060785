import { defineTool } from 'helve'
import * as z from 'zod'

export default defineTool({
  description: 'Tells how many listen for changes at this moment.',
  hints: { readOnly: true },
  output: z.object({ listeners: z.int() }),
  async run({ env }) {
    return { listeners: await env.HUB.getByName('hub-0').listeners() }
  },
})
