import { defineTool } from 'helve'

export default defineTool({
  description: 'Returns one text block.',
  run: () => 'This is a simple text response for testing.',
})
