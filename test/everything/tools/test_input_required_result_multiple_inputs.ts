import { defineTool, form, roots, sample } from 'helve'
import * as z from 'zod'

export default defineTool({
  description: 'Asks the user, the model and the client in one round.',
  ask: () => ({
    user_name: form('What is your name?', z.object({ name: z.string() })),
    greeting: sample({
      messages: [{ role: 'user', content: { type: 'text', text: 'Generate a greeting.' } }],
      maxTokens: 50,
    }),
    client_roots: roots(),
  }),
  run: ({ answers: { user_name, greeting, client_roots } }) =>
    `${user_name.name} was greeted by ${greeting.model} in ${client_roots.length} roots.`,
})
