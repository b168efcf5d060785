import { defineTool } from 'helve'
import * as z from 'zod'

let runs = 0

export default defineTool({
  description:
    'Says how often it was run, by anybody and for anything. Results are kept for a while.',
  hints: { readOnly: true },
  cache: '2s',
  stale: '5s',
  shared: true,
  input: z.strictObject({ topic: z.string().default('any'), level: z.number().default(0) }),
  output: z.object({ topic: z.string(), run: z.int() }),
  run({ input }) {
    runs += 1
    return { topic: input.topic, run: runs }
  },
})
