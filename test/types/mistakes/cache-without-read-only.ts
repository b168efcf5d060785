import { defineTool } from '../../../src/index.ts'

export default defineTool({
  description: 'Answers.',
  cache: '5m',
  run: () => 'pong',
})

/*
(5,3): error TS2322: Type '"5m"' is not assignable to type '"A tool with `cache` needs `hints: { readOnly: true }`"'.
*/
