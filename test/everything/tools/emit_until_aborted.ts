import { defineTool } from 'helve'
import * as z from 'zod'
import { recordAbort } from './_aborts.ts'
import { ticks } from './_wait.ts'

export default defineTool({
  description: 'Reports progress until its signal aborts. was_aborted tells whether it has.',
  input: z.object({ key: z.string() }),
  timeout: '1m',
  async run({ input, signal, progress }) {
    recordAbort(input.key, signal)
    for await (const done of ticks(50)) {
      if (signal.aborted) break
      progress(done)
    }
    return 'Nobody is there to read this.'
  },
})
