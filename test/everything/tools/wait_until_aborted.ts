import { defineTool } from 'helve'
import * as z from 'zod'
import { recordAbort } from './_aborts.ts'

export default defineTool({
  description: 'Says nothing until its signal aborts. was_aborted tells whether it has.',
  input: z.object({ key: z.string() }),
  timeout: '1m',
  async run({ input, signal }) {
    recordAbort(input.key, signal)
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    return 'Nobody is there to read this.'
  },
})
