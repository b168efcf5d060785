import { defineTool } from 'helve'
import { wait } from './_wait.ts'

export default defineTool({
  description: 'Reports progress once before it returns, and goes on reporting after that.',
  run({ progress, log }) {
    progress(1)
    void (async () => {
      await wait(20)
      progress(2)
      log.error('This comes too late.')
    })()
    return 'Done at 1.'
  },
})
