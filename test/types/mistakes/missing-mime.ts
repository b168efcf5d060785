import { defineResource } from '../../../src/index.ts'

export default defineResource({ uri: 'shop://terms', read: () => 'Terms' })

/*
(3,31): error TS2741: Property 'mime' is missing in type '...' but required in type 'ResourceDefinition<...>'.
*/
