import { defineTool } from 'helve'
import * as z from 'zod'

export default defineTool({
  description: 'Tells how many listen for updates of a resource at this moment.',
  hints: { readOnly: true },
  input: z.object({ uri: z.string() }),
  output: z.object({ listeners: z.int() }),
  async run({ input, env }) {
    return { listeners: await env.HUB.getByName('hub-0').countListeners(input.uri) }
  },
})
