import { defineTool } from 'helve'
import { ticks } from './_wait.ts'

export default defineTool({
  description:
    'Ignores its signal and its time limit of one second, and goes on with its progress.',
  timeout: '1s',
  async run({ progress }) {
    for await (const done of ticks(100)) {
      if (done > 30) break
      progress(done, 30)
    }
    return 'Nobody waited for this.'
  },
})
