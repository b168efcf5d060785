import { defineTool, form } from '../../../src/index.ts'
import * as z from 'zod'

export default defineTool({
  description: 'Searches.',
  hints: { readOnly: true },
  cache: '5m',
  ask: () => ({ sure: form('Sure?', z.object({ yes: z.boolean() })) }),
  run: () => 'found',
})

/*
(8,3): error TS2322: Type '...' is not assignable to type '... & "A tool with `cache` cannot ask: an answer belongs to one call"'.
  Type '...' is not assignable to type '"A tool with `cache` cannot ask: an answer belongs to one call"'.
*/
