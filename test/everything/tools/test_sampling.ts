import { defineTool, sample } from 'helve'
import * as z from 'zod'

export default defineTool({
  description: 'Passes a prompt to the client’s model, and returns what the model wrote.',
  input: z.object({ prompt: z.string() }),
  ask: ({ input }) => ({
    response: sample({
      messages: [{ role: 'user', content: { type: 'text', text: input.prompt } }],
      maxTokens: 100,
    }),
  }),
  run({ answers }) {
    const texts = answers.response.content.map((block) => (block.type === 'text' ? block.text : ''))
    return `LLM response: ${texts.join('')}`
  },
})
