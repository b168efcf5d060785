import { defineTool } from '../../../src/index.ts'

export default defineTool({
  description: 'Greets.',
  run: ({ input }) => `Hello, ${input.who.toUpperCase()}`,
})

/*
(5,39): error TS2339: Property 'who' does not exist on type 'Undeclared<"add `input` to the definition, such as `input: z.object({ ... })`">'.
*/
