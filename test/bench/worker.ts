import { createWorker, defineTool } from 'helve'
import { toRegistry } from '../spec/registry.ts'
import { description, input, names, output, run } from './tools.ts'

const tools = Object.fromEntries(
  names.map((name) => [
    name,
    defineTool({ title: name, description, input, output, run: ({ input }) => run(input) }),
  ]),
)

export default {
  // the log is the platform's work, and a bare Worker writes none
  fetch: createWorker({ name: 'bench', version: '1', registry: toRegistry(tools), audit: false })
    .fetch,
}
