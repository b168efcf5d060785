import { defineTool } from 'helve'
import * as z from 'zod'
import { products } from './_products.ts'

export default defineTool({
  description:
    'Finds products whose name contains a text. Returns their SKUs, which add_item needs.',
  hints: { readOnly: true },
  // the edge answers calls with the same arguments
  cache: '10m',
  shared: true,
  input: z.object({ text: z.string() }),
  output: z.object({
    products: z.array(z.object({ sku: z.string(), name: z.string(), cents: z.int() })),
  }),
  run({ input }) {
    const text = input.text.toLowerCase()
    return { products: products.filter(({ name }) => name.toLowerCase().includes(text)) }
  },
})
