import { defineTool } from 'helve'
import * as z from 'zod'

let runs = 0

export default defineTool({
  description: 'Says who calls, and how often it was run. What each caller was told is kept.',
  hints: { readOnly: true },
  cache: '1m',
  output: z.object({ subject: z.string(), scopes: z.array(z.string()), run: z.int() }),
  run({ caller }) {
    runs += 1
    return { subject: caller?.subject ?? 'nobody', scopes: [...(caller?.scopes ?? [])], run: runs }
  },
})
