import { defineTool, form } from 'helve'
import * as z from 'zod'

const profile = z.object({
  name: z.string().default('John Doe'),
  age: z.int().default(30),
  score: z.number().default(95.5),
  status: z.enum(['active', 'inactive', 'pending']).default('active'),
  verified: z.boolean().default(true),
})

export default defineTool({
  description: 'Asks the user to fill in a form whose fields all have a default.',
  ask: () => ({ profile: form('Please check your profile.', profile, { declined: 'tell' }) }),
  run: ({ answers }) => `Elicitation completed: ${JSON.stringify(answers.profile)}`,
})
