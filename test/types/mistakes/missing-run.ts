import { defineTool } from '../../../src/index.ts'

export default defineTool({ description: 'Answers.' })

/*
(3,27): error TS2741: Property 'run' is missing in type '...' but required in type 'ToolDefinition<...>'.
*/
