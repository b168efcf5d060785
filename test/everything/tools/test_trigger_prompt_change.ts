import { defineTool } from 'helve'

export default defineTool({
  description: 'Tells all who listen that the list of prompts changed.',
  async run({ notify }) {
    await notify.promptsChanged()
    return 'Told.'
  },
})
