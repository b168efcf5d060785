import { defineTool } from '../../../src/index.ts'

export default defineTool({ run: () => 'pong' })

/*
(3,27): error TS2741: Property 'description' is missing in type '...' but required in type 'ToolDefinition<...>'.
*/
