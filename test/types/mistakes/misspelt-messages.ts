import { definePrompt } from '../../../src/index.ts'
import * as z from 'zod'

export default definePrompt({
  description: 'Plans a day.',
  input: z.object({ city: z.string() }),
  message: 'Plan a day.',
})

/*
(7,3): error TS2561: Object literal may only specify known properties, but 'message' does not exist in type 'PromptDefinition<...>'. Did you mean to write 'messages'?
*/
