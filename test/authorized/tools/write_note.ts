import { defineTool } from 'helve'
import * as z from 'zod'
import notes from './notes.ts'

export default defineTool({
  description: 'Writes a note for the user and tells how many there are.',
  scopes: ['notes:write'],
  uses: { notes },
  input: z.object({ text: z.string().min(1).max(1_000) }),
  output: z.object({ count: z.number() }),
  run: async ({ use, input }) => ({ count: await use.notes.add(input.text) }),
})
