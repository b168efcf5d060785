import { defineTool } from 'helve'
import * as z from 'zod'
import notes from './notes.ts'

export default defineTool({
  description: 'Lists the notes of the user.',
  scopes: ['notes:read'],
  hints: { readOnly: true },
  uses: { notes },
  output: z.object({ notes: z.array(z.string()) }),
  run: async ({ use }) => ({ notes: (await use.notes.read()).texts }),
})
