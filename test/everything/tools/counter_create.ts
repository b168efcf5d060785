import { defineTool } from 'helve'
import * as z from 'zod'
import counter from './counter.ts'

export default defineTool({
  description: `Creates a counter at 0. ${counter.note}`,
  output: z.object({ counter: z.string() }),
  async run({ create }) {
    return { counter: (await create(counter)).id }
  },
})
