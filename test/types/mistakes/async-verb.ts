import { defineHandle } from '../../../src/index.ts'
import * as z from 'zod'

export default defineHandle({
  name: 'counter',
  prefix: 'cnt',
  idle: '1h',
  state: z.object({ count: z.number() }),
  start: () => ({ count: 0 }),
  verbs: {
    async add(state, by: number) {
      await Promise.resolve()
      state.count += by
      return state.count
    },
  },
})

/*
(11,11): error TS2322: Type '...' is not assignable to type '... & "A verb must be synchronous: await in the tool, before or after the verb"'.
  Type '...' is not assignable to type '"A verb must be synchronous: await in the tool, before or after the verb"'.
*/
