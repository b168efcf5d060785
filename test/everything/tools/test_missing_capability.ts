import { defineTool, sample } from 'helve'

export default defineTool({
  description: 'Asks the client’s model, which only clients with sampling have.',
  ask: () => ({
    greeting: sample({
      messages: [{ role: 'user', content: { type: 'text', text: 'Write a greeting.' } }],
      maxTokens: 50,
    }),
  }),
  run: ({ answers }) => `${answers.greeting.model} wrote a greeting.`,
})
