import { defineTool } from 'helve'
import { wait } from './_wait.ts'

export default defineTool({
  description: 'Logs three messages at info while it runs, then returns.',
  async run({ log }) {
    log.info('Tool execution started')
    await wait(50)
    log.info('Tool processing data')
    await wait(50)
    log.info('Tool execution completed')
    return 'Logged at the start, in the middle and at the end.'
  },
})
