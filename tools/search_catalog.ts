import { defineTool } from 'helve'
import * as z from 'zod/mini'
import { categories } from './_catalog/product.ts'
import { searchCatalog } from './_catalog/search.ts'

const input = z.strictObject({
  query: z
    .string()
    .check(
      z.trim(),
      z.minLength(1),
      z.maxLength(80),
      z.describe('One to three words, such as "bread knife". A product must match them all.'),
    ),
  category: z.optional(z.enum(categories).check(z.describe('Only this shelf of the shop.'))),
  maxPriceEur: z.optional(z.number().check(z.positive(), z.describe('In euros, inclusive.'))),
  limit: z.prefault(
    z.int().check(z.minimum(1), z.maximum(20), z.describe('How many products to list.')),
    5,
  ),
})

const output = z.object({
  products: z.array(
    z.object({
      sku: z.string().check(z.describe('What get_product asks for.')),
      name: z.string(),
      category: z.string(),
      priceEur: z.number(),
      inStock: z.boolean(),
    }),
  ),
  more: z.number().check(z.minimum(0), z.describe('How many products match beyond those listed.')),
})

export default defineTool({
  title: 'Search the catalog',
  description:
    'Searches the kitchen shop by name, material, origin and use, the best matches first. Use it ' +
    'to find the SKU of a product before get_product. Prices are in euros with tax. When nothing ' +
    'matches, try fewer or more general words.',
  hints: { readOnly: true },
  cache: '10m',
  shared: true,
  input,
  output,
  run({ input: { query, category, maxPriceEur, limit } }) {
    const maxPriceCents = maxPriceEur === undefined ? undefined : Math.round(maxPriceEur * 100)
    const found = searchCatalog({ query, category, maxPriceCents })
    const products = found.slice(0, limit).map(({ sku, name, category, priceCents, stock }) => ({
      sku,
      name,
      category,
      priceEur: priceCents / 100,
      inStock: stock > 0,
    }))
    return { products, more: found.length - products.length }
  },
})
