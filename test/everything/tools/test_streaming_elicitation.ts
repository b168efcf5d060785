import { defineTool, form } from 'helve'
import * as z from 'zod'

export default defineTool({
  description: 'Asks the user for a name, by a result and never by a request on the stream.',
  ask: () => ({ user_name: form('What is your name?', z.object({ name: z.string() })) }),
  run: ({ answers }) => `Hello, ${answers.user_name.name}!`,
})
