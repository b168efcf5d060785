import { defineTool } from 'helve'
import * as z from 'zod'

export default defineTool({
  description: 'Counts the words of a text.',
  input: z.object({ text: z.string() }),
  output: z.object({ words: z.int() }),
  run: ({ input }) => ({ words: input.text.match(/\S+/g)?.length ?? 0 }),
})
