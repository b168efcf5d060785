import { defineTool } from 'helve'
import { wait } from './_wait.ts'

export default defineTool({
  description: 'Reports progress of 0, 50 and 100 of 100, then returns.',
  async run({ progress }) {
    progress(0, 100)
    await wait(50)
    progress(50, 100)
    await wait(50)
    progress(100, 100)
    return 'Done in three steps.'
  },
})
