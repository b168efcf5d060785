import { defineTool } from 'helve'
import * as z from 'zod'
import { findAbort } from './_aborts.ts'

export default defineTool({
  description: 'Tells whether the signal of an earlier call has aborted, and why.',
  hints: { readOnly: true },
  input: z.object({ key: z.string() }),
  output: z.object({ reason: z.string().nullable() }),
  run: ({ input }) => ({ reason: findAbort(input.key) }),
})
