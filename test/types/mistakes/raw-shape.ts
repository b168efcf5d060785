import { defineTool } from '../../../src/index.ts'
import * as z from 'zod'

export default defineTool({
  description: 'Greets.',
  input: { who: z.string() },
  run: ({ input }) => `Hello, ${input.who}`,
})

/*
(6,3): error TS2322: Type '...' is not assignable to type '{ who: ZodString; } & "An object of schemas is not a schema: wrap it in z.object({ ... })"'.
  Type '...' is not assignable to type '"An object of schemas is not a schema: wrap it in z.object({ ... })"'.
*/
