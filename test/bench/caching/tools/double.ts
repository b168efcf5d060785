import { defineTool } from 'helve'
import * as z from 'zod'

export default defineTool({
  description: 'Doubles: next to nothing, to see what the way to a cache costs.',
  hints: { readOnly: true },
  cache: '1h',
  shared: true,
  input: z.object({ number: z.number() }),
  output: z.object({ number: z.number() }),
  run: ({ input }) => ({ number: input.number * 2 }),
})
