import { defineHandle } from 'helve'
import * as z from 'zod'

export default defineHandle({
  name: 'blink',
  prefix: 'blk',
  idle: '2s',
  state: z.object({ blink: z.string() }),
  start: () => ({ blink: 'still here' }),
  verbs: {},
})
