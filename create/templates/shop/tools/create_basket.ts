import { defineTool } from 'helve'
import * as z from 'zod'
import basket from './basket.ts'

export default defineTool({
  description: `Creates an empty basket. ${basket.note}`,
  output: z.object({ basket: z.string() }),
  run: async ({ create }) => ({ basket: (await create(basket)).id }),
})
