import { defineTool } from '../../../src/index.ts'
import * as z from 'zod'

export default defineTool({
  description: 'Adds.',
  input: z.object({ a: z.number(), b: z.number() }),
  outputs: z.object({ sum: z.number() }),
  run: ({ input }) => ({ sum: input.a + input.b }),
})

/*
(7,3): error TS2561: Object literal may only specify known properties, but 'outputs' does not exist in type 'ToolDefinition<...> & ToolThatReturnsAnObject'. Did you mean to write 'output'?
*/
