import { defineTool } from 'helve'
import * as z from 'zod'
import box from './box.ts'

export default defineTool({
  description: `Puts a word into a box. ${box.note}`,
  input: z.object({ word: z.string() }),
  output: z.object({ box: z.string() }),
  async run({ input, create }) {
    return { box: (await create(box, input.word)).id }
  },
})
