import { defineTool } from 'helve'
import * as z from 'zod'
import { requireProduct } from './_catalog/require-product.ts'
import basket from './basket.ts'

export default defineTool({
  title: 'Add to a basket',
  description:
    'Puts pieces of one product into a basket, on top of those that are there already. Nothing is ' +
    'reserved or paid for until checkout.',
  uses: { basket },
  input: z.strictObject({
    sku: z.string().describe('From search_catalog, such as "KN-101".'),
    quantity: z.int().min(1).max(99).default(1),
  }),
  output: z.object({
    sku: z.string(),
    name: z.string(),
    quantity: z.int().describe('Pieces of this product that are in the basket now.'),
    totalEur: z.number().describe('What everything in the basket comes to.'),
  }),
  async run({ input, use }) {
    const { sku, name, priceCents, stock } = requireProduct(input.sku)
    const item = { sku, name, priceCents, quantity: input.quantity }
    const quantity = await use.basket.add(item, stock)
    return { sku, name, quantity, totalEur: (await use.basket.total()) / 100 }
  },
})
