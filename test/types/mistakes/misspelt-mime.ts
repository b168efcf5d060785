import { defineResource } from '../../../src/index.ts'
import * as z from 'zod'

export default defineResource({
  uri: 'shop://products/{id}',
  mimeType: 'text/plain',
  params: z.object({ id: z.coerce.number() }),
  read: ({ params }) => params.id.toFixed(),
})

/*
(6,3): error TS2353: Object literal may only specify known properties, and 'mimeType' does not exist in type 'ResourceDefinition<...>'.
*/
