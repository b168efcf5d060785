import { defineTool } from '../../../src/index.ts'
import * as z from 'zod'

export default defineTool({
  description: 'Adds.',
  input: z.object({ a: z.number(), b: z.number() }),
  run: ({ input }) => ({ sum: input.a + input.b }),
})

/*
(4,27): error TS2345: Argument of type '...' is not assignable to parameter of type 'ToolDefinition<...> & ToolThatReturnsAnObject'.
  Property 'output' is missing in type '...' but required in type 'ToolThatReturnsAnObject'.
*/
