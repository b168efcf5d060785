import { defineTool } from '../../../src/index.ts'
import * as z from 'zod'

export default defineTool({
  descripton: 'Greets.',
  input: z.object({ who: z.string() }),
  run: ({ input }) => `Hello, ${input.who}`,
})

/*
(5,3): error TS2561: Object literal may only specify known properties, but 'descripton' does not exist in type 'ToolDefinition<...>'. Did you mean to write 'description'?
*/
