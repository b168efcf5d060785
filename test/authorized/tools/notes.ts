import { defineHandle } from 'helve'
import * as z from 'zod'

export default defineHandle({
  name: 'notes',
  scope: 'caller',
  idle: '30d',
  max: '365d',
  state: z.object({ texts: z.array(z.string()) }),
  start: () => ({ texts: [] }),
  verbs: {
    add(state, text: string) {
      return state.texts.push(text)
    },
  },
})
