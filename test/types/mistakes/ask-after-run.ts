import { defineTool, form } from '../../../src/index.ts'
import * as z from 'zod'

export default defineTool({
  description: 'Pays.',
  input: z.object({ price: z.number() }),
  run: ({ answers }) => (answers.sure.yes ? 'Paid.' : 'Not paid.'),
  ask: ({ input }) => ({ sure: form(`Pay ${input.price}?`, z.object({ yes: z.boolean() })) }),
})

/*
(7,34): error TS2339: Property 'sure' does not exist on type 'Undeclared<"`ask` returns the questions, and must come before the function that reads `answers`">'.
*/
