import { defineTool, ToolError } from 'helve'
import * as z from 'zod'
import { findProduct } from './_products.ts'
import basket from './basket.ts'

export default defineTool({
  description: 'Puts a product into a basket.',
  uses: { basket },
  input: z.object({ sku: z.string(), quantity: z.int().min(1).max(100).default(1) }),
  output: z.object({ items: z.int(), totalCents: z.int() }),
  async run({ input: { sku, quantity }, use }) {
    const product = findProduct(sku)
    // the model reads this sentence, so it says what to do next
    if (product === undefined) {
      throw new ToolError(`There is no product ${sku}. Find its SKU with search_catalog.`)
    }
    const items = await use.basket.add({ sku, cents: product.cents, quantity })
    return { items, totalCents: await use.basket.total() }
  },
})
