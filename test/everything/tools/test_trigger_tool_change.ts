import { defineTool } from 'helve'

export default defineTool({
  description: 'Tells all who listen that the list of tools changed.',
  async run({ notify }) {
    await notify.toolsChanged()
    return 'Told.'
  },
})
