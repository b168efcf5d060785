import { defineTool } from 'helve'
import * as z from 'zod'

export default defineTool({
  description: 'Adds two numbers.',
  input: z.object({ first: z.number(), second: z.number() }),
  output: z.object({ sum: z.number() }),
  hints: { readOnly: true },
  limit: 'ADDITIONS',
  cache: '1h',
  run: ({ input }) => ({ sum: input.first + input.second }),
})
