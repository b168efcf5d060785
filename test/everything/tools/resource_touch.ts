import { defineTool } from 'helve'
import * as z from 'zod'

export default defineTool({
  description: 'Tells all who listen that a resource was updated.',
  input: z.object({ uri: z.string() }),
  output: z.object({ uri: z.string() }),
  async run({ input: { uri }, notify }) {
    await notify.resourceUpdated(uri)
    return { uri }
  },
})
