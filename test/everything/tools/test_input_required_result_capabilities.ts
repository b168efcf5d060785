import { defineTool, form, sample } from 'helve'
import * as z from 'zod'

export default defineTool({
  description: 'Asks only what the client can answer: the user, the model, or both.',
  ask: ({ can }) => ({
    user_name: can.form ? form('What is your name?', z.object({ name: z.string() })) : undefined,
    greeting: can.sample
      ? sample({
          messages: [{ role: 'user', content: { type: 'text', text: 'Generate a greeting.' } }],
          maxTokens: 50,
        })
      : undefined,
  }),
  run: ({ answers }) => `Answered: ${Object.keys(answers).join(', ') || 'nothing'}.`,
})
