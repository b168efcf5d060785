import * as z from 'zod'
import { defineTool } from '../../../src/define/tool.ts'
import { callTool } from '../../../src/testing/testing.ts'

const greet = defineTool({
  description: 'Greets.',
  input: z.object({ who: z.string() }),
  run: ({ input }) => `Hello, ${input.who}`,
})

export default callTool(greet, {})

/*
(11,32): error TS2345: Argument of type '{}' is not assignable to parameter of type 'CallToolOptions<...>'.
  Property 'input' is missing in type '{}' but required in type '{ readonly input: { who: string; }; }'.
*/
