import { defineTool } from 'helve'
import * as z from 'zod'
import box from './box.ts'

export default defineTool({
  description: 'Tells the word in a box.',
  uses: { box },
  hints: { readOnly: true },
  output: z.object({ word: z.string() }),
  run: ({ use }) => use.box.read(),
})
