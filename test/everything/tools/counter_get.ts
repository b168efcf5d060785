import { defineTool } from 'helve'
import * as z from 'zod'
import counter from './counter.ts'

export default defineTool({
  description: 'Tells the value of a counter.',
  uses: { counter },
  hints: { readOnly: true },
  output: z.object({ value: z.number() }),
  run: ({ use }) => use.counter.read(),
})
