import { defineTool, roots } from 'helve'

export default defineTool({
  description: 'Asks the client which folders the user works in.',
  ask: () => ({ client_roots: roots() }),
  run: ({ answers }) => `Roots: ${answers.client_roots.map(({ uri }) => uri).join(', ')}`,
})
