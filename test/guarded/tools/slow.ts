import { defineTool } from 'helve'
import * as z from 'zod'

export default defineTool({
  description: 'Takes its time. Each caller may have two calls of it running.',
  parallel: 2,
  input: z.object({ ms: z.int().max(10_000) }),
  async run({ input }) {
    await new Promise((resolve) => setTimeout(resolve, input.ms))
    return 'hello'
  },
})
