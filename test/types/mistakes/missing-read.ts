import { defineResource } from '../../../src/index.ts'

export default defineResource({ uri: 'shop://terms', mime: 'text/plain' })

/*
(3,31): error TS2741: Property 'read' is missing in type '...' but required in type 'ResourceDefinition<...>'.
*/
