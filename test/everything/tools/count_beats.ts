import { defineTool } from 'helve'
import * as z from 'zod'
import { countBeats } from './_beats.ts'

export default defineTool({
  description: 'Tells how often a call of hold_place has beaten.',
  hints: { readOnly: true },
  input: z.object({ key: z.string() }),
  output: z.object({ beats: z.int() }),
  run: ({ input }) => ({ beats: countBeats(input.key) }),
})
