import { defineTool } from 'helve'
import { wait } from './_wait.ts'

export default defineTool({
  description: 'Says nothing for so long that its reply becomes a stream, then returns.',
  async run() {
    await wait(2_200)
    return 'The stream stayed open.'
  },
})
