import { defineTool } from 'helve'
import * as z from 'zod'
import blink from './blink.ts'

export default defineTool({
  description: 'Reads a handle that hardly lives, which lets it live as long again.',
  uses: { blink },
  hints: { readOnly: true },
  output: z.object({ blink: z.string() }),
  run: ({ use }) => use.blink.read(),
})
