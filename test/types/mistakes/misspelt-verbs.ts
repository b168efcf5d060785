import { defineHandle } from '../../../src/index.ts'
import * as z from 'zod'

export default defineHandle({
  name: 'counter',
  prefix: 'cnt',
  idle: '1h',
  state: z.object({ count: z.number() }),
  start: () => ({ count: 0 }),
  verb: {},
})

/*
(10,3): error TS2561: Object literal may only specify known properties, but 'verb' does not exist in type 'HandleDefinition<...>'. Did you mean to write 'verbs'?
*/
