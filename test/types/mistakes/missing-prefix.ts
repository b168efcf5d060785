import { defineHandle } from '../../../src/index.ts'
import * as z from 'zod'

export default defineHandle({
  name: 'counter',
  idle: '1h',
  state: z.object({ count: z.number() }),
  start: () => ({ count: 0 }),
  verbs: { count: (state) => state.count },
})

/*
(4,29): error TS2345: Argument of type '...' is not assignable to parameter of type 'HandleDefinition<...> & HandleWithIds'.
  Property 'prefix' is missing in type '...' but required in type 'HandleWithIds'.
*/
