import { defineTool } from 'helve'
import * as z from 'zod'
import { wait } from './_wait.ts'

export default defineTool({
  description: 'Says nothing for so many milliseconds, then returns.',
  input: z.object({ ms: z.int().min(0).max(20_000) }),
  async run({ input }) {
    await wait(input.ms)
    return `Slept ${input.ms} ms.`
  },
})
