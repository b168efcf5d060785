import { defineTool } from 'helve'
import * as z from 'zod'
import blink from './blink.ts'

// first in the list, which is sorted by name: the conformance suite calls whatever is first there
// without arguments, so no tool that needs any may have a name before this one
export default defineTool({
  description: `Creates a handle that hardly lives. ${blink.note}`,
  output: z.object({ blink: z.string() }),
  async run({ create }) {
    return { blink: (await create(blink)).id }
  },
})
