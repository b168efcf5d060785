import { defineTool } from 'helve'

export default defineTool({
  description: 'Says hello, five times a minute to each caller.',
  limit: { tokens: 5, per: '1m' },
  run: () => 'hello',
})
