import { defineHandle } from 'helve'
import * as z from 'zod'

export default defineHandle({
  name: 'counter',
  prefix: 'cnt',
  idle: '24h',
  state: z.object({ value: z.number() }),
  start: () => ({ value: 0 }),
  verbs: {
    add(state, by: number) {
      state.value += by
      return state.value
    },
  },
})
