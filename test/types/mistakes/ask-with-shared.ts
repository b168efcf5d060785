import { defineResource, form } from '../../../src/index.ts'
import * as z from 'zod'

export default defineResource({
  uri: 'shop://terms',
  mime: 'text/plain',
  shared: true,
  ask: () => ({ sure: form('Sure?', z.object({ yes: z.boolean() })) }),
  read: () => 'Terms',
})

/*
(8,3): error TS2322: Type '...' is not assignable to type '... & "A resource with `shared: true` cannot ask: what is read would depend on the answer"'.
  Type '...' is not assignable to type '"A resource with `shared: true` cannot ask: what is read would depend on the answer"'.
*/
