import { defineTool } from 'helve'
import * as z from 'zod'
import { beat } from './_beats.ts'
import { ticks } from './_wait.ts'

export default defineTool({
  description:
    'Beats twenty times a second and ignores its signal and its time limit. One call at a time. ' +
    'count_beats tells how often it has.',
  input: z.object({ key: z.string(), beats: z.int().min(1).max(1_200) }),
  timeout: '6s',
  parallel: 1,
  async run({ input }) {
    for await (const done of ticks(50)) {
      beat(input.key)
      if (done >= input.beats) break
    }
    return 'Held.'
  },
})
