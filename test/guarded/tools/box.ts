import { defineHandle } from 'helve'
import * as z from 'zod'

export default defineHandle({
  name: 'box',
  prefix: 'box',
  idle: '1h',
  state: z.object({ word: z.string() }),
  start: (word: string) => ({ word }),
  verbs: {},
})
