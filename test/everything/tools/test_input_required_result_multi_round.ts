import { defineTool, form } from 'helve'
import * as z from 'zod'

const name = form('Step 1: What is your name?', z.object({ name: z.string() }))
const color = form('Step 2: What is your favorite color?', z.object({ color: z.string() }))

export default defineTool({
  description: 'Asks for a name in one round and for a color in the next.',
  ask: ({ answers }) => ({ step1: name, step2: 'step1' in answers ? color : undefined }),
  run: ({ answers }) => `${answers.step1.name} likes ${answers.step2?.color}.`,
})
