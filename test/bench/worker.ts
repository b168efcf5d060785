import * as z from 'zod'
import { createWorker, defineTool } from 'helve'
import { toRegistry } from '../spec/registry.ts'

/** Twenty tools with three arguments, of which the one that is called does next to nothing. */
const tools = Object.fromEntries(
  Array.from({ length: 20 }, (_, index) => [
    `tool_${index}`,
    defineTool({
      title: `Tool ${index}`,
      description: 'Says how much of what goes where, as one of twenty tools that do the same.',
      input: z.object({
        item: z.string().describe('What is sent.'),
        count: z.number().int().describe('How many of it.'),
        place: z.string().optional().describe('Where it goes.'),
      }),
      output: z.object({ text: z.string() }),
      run: ({ input: { item, count, place } }) => ({ text: `${count} ${item} to ${place}` }),
    }),
  ]),
)

export default {
  // the log is the platform's work, and a bare Worker writes none
  fetch: createWorker({ name: 'bench', version: '1', registry: toRegistry(tools), audit: false })
    .fetch,
}
