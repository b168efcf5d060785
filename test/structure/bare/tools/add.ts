import { defineTool } from 'helve'
import * as z from 'zod'

export default defineTool({
  description: 'Adds two numbers.',
  input: z.object({ first: z.number(), second: z.number() }),
  output: z.object({ sum: z.number() }),
  run: ({ input }) => ({ sum: input.first + input.second }),
})
