import { defineTool } from 'helve'
import * as z from 'zod'

// of one, two, three and four bytes of UTF-8: a chunk may end within any of them
const letters = 'aé€𝄞'

export default defineTool({
  description: 'Returns a text of so many bytes, after some progress if asked for that.',
  input: z.object({ bytes: z.int().min(10).max(2_000_000), emit: z.boolean().default(false) }),
  run({ input: { bytes, emit }, progress }) {
    if (emit) progress(1)
    return letters.repeat(bytes / 10) + '.'.repeat(bytes % 10)
  },
})
