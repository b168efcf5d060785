import { defineTool, form } from 'helve'
import * as z from 'zod'

const user = z.object({ username: z.string(), email: z.string() })

export default defineTool({
  description: 'Shows the user a message, and asks for a name and an address.',
  input: z.object({ message: z.string() }),
  ask: ({ input }) => ({ user: form(input.message, user, { declined: 'tell' }) }),
  run: ({ answers }) => `User response: ${JSON.stringify(answers.user)}`,
})
