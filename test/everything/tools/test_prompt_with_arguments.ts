import { definePrompt } from 'helve'
import * as z from 'zod'

const words = ['paris', 'park', 'party', 'test', 'testing']

export default definePrompt({
  description: 'One message with two arguments in it.',
  input: z.object({
    arg1: z.string().describe('The first argument.'),
    arg2: z.string().describe('The second argument.'),
  }),
  complete: { arg1: ({ value }) => words.filter((word) => word.startsWith(value)) },
  messages: ({ input }) => `Prompt with arguments: arg1='${input.arg1}', arg2='${input.arg2}'`,
})
