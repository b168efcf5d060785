import { defineTool } from 'helve'
import * as z from 'zod'
import counter from './counter.ts'

export default defineTool({
  description: 'Adds to a counter and tells its new value.',
  uses: { counter },
  input: z.object({ by: z.number() }),
  output: z.object({ value: z.number() }),
  async run({ use, input }) {
    return { value: await use.counter.add(input.by) }
  },
})
