import { defineTool, form } from 'helve'
import * as z from 'zod'

export default defineTool({
  description: 'Asks the user for a name and greets them.',
  ask: () => ({
    user_name: form('What is your name?', z.object({ name: z.string() }), {
      // input-required-result-ignore-extra-params answers what it was never asked. Safe here, as a
      // name is only data; no other tool of this server takes such an answer
      unasked: 'accept',
    }),
  }),
  run: ({ answers }) => `Hello, ${answers.user_name.name}!`,
})
