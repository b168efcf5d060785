import { defineTool, sample } from 'helve'

export default defineTool({
  description: 'Asks the client’s model for the capital of France.',
  ask: () => ({
    capital_question: sample({
      messages: [
        { role: 'user', content: { type: 'text', text: 'What is the capital of France?' } },
      ],
      maxTokens: 100,
    }),
  }),
  run: ({ answers }) => `The model answered ${JSON.stringify(answers.capital_question.content)}.`,
})
