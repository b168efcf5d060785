import { defineTool } from 'helve'
import * as z from 'zod'
import basket from './basket.ts'

export default defineTool({
  title: 'Take out of a basket',
  description:
    'Takes all pieces of one product out of a basket. To have fewer of it, add it again afterwards.',
  uses: { basket },
  input: z.strictObject({ sku: z.string().toUpperCase().describe('As view_basket lists it.') }),
  output: z.object({ totalEur: z.number().describe('What is left in the basket comes to.') }),
  async run({ input, use }) {
    await use.basket.remove(input.sku)
    return { totalEur: (await use.basket.total()) / 100 }
  },
})
