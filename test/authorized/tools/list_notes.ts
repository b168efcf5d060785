import { defineTool } from 'helve'
import * as z from 'zod'
import notes from './notes.ts'

export default defineTool({
  description: 'Lists the notes of the user.',
  scopes: ['notes:read'],
  hints: { readOnly: true },
  uses: { notes },
  output: z.object({ of: z.string(), notes: z.array(z.string()) }),
  async run({ use, caller }) {
    // `props` of the sign-in page
    const name = z.string().parse(caller?.claims['name'])
    return { of: name, notes: (await use.notes.read()).texts }
  },
})
