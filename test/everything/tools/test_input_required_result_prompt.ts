import { definePrompt, form } from 'helve'
import * as z from 'zod'

export default definePrompt({
  description: 'Asks the user for a context before it is filled in.',
  ask: () => ({
    user_context: form('What context should the prompt use?', z.object({ context: z.string() })),
  }),
  messages: ({ answers }) => `Work in this context: ${answers.user_context.context}`,
})
