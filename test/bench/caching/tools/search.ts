import { defineTool } from 'helve'
import * as z from 'zod'
import { products } from './_products/products.ts'

export default defineTool({
  description: 'Searches.',
  hints: { readOnly: true },
  cache: '1h',
  shared: true,
  input: z.object({ query: z.string() }),
  output: z.object({
    found: z.array(z.object({ sku: z.string(), name: z.string(), priceCents: z.number() })),
  }),
  run: ({ input: { query } }) => ({
    found: products.filter(({ material }) => material.includes(query)),
  }),
})
