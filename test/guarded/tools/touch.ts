import { defineTool } from 'helve'
import * as z from 'zod'

export default defineTool({
  description: 'Tells all who listen that resources were updated.',
  input: z.object({ uris: z.array(z.string()) }),
  async run({ input, notify }) {
    await Promise.all(input.uris.map((uri) => notify.resourceUpdated(uri)))
    return 'told'
  },
})
