import { defineTool, ToolError } from 'helve'

export default defineTool({
  description: 'Fails, and says so in its result.',
  run() {
    throw new ToolError('This tool intentionally returns an error for testing.')
  },
})
