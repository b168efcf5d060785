import * as z from 'zod'
import { defineTool } from '../../../src/define/tool.ts'
import { callTool } from '../../../src/testing/testing.ts'

const greet = defineTool({
  description: 'Greets.',
  input: z.object({ who: z.string() }),
  run: ({ input }) => `Hello, ${input.who}`,
})

export default callTool(greet, { input: { name: 'Ada' } })

/*
(11,43): error TS2353: Object literal may only specify known properties, and 'name' does not exist in type '{ who: string; }'.
*/
