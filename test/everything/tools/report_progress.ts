import { defineTool } from 'helve'
import * as z from 'zod'
import { ticks } from './_wait.ts'

export default defineTool({
  description: 'Reports whatever progress it is told to, and returns its mark.',
  input: z.object({
    done: z.array(z.number()),
    mark: z.string().default('').describe('Stands in every message and in the result.'),
  }),
  async run({ input: { done, mark }, progress }) {
    for await (const tick of ticks(10)) {
      const value = done[tick - 1]
      if (value === undefined) break
      progress(value, undefined, mark)
    }
    return mark
  },
})
