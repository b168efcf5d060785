import { defineTool, image, reply, resourceLink } from 'helve'
import { toDetails } from './_catalog/details.ts'
import { pictures } from './_catalog/pictures.ts'
import { requireProduct } from './_catalog/require-product.ts'
import { readSku } from './_catalog/sku.ts'

export default defineTool({
  title: 'Product details',
  description:
    'Gets everything the shop knows of one product: price in euros with tax, stock, weight, ' +
    'materials, care and origin, with a picture and a link. Get the SKU from search_catalog first.',
  hints: { readOnly: true },
  input: {
    type: 'object',
    properties: {
      sku: {
        type: 'string',
        pattern: '^[A-Za-z]{2}-[0-9]{3}$',
        description: 'Such as "KN-101".',
      },
    },
    required: ['sku'],
    additionalProperties: false,
  },
  output: {
    type: 'object',
    properties: {
      sku: { type: 'string' },
      name: { type: 'string' },
      description: { type: 'string' },
      category: { type: 'string' },
      madeIn: { type: 'string' },
      priceEur: { type: 'number' },
      stock: { type: 'integer', description: 'Pieces in the warehouse; 0 is sold out.' },
      weightGrams: { type: 'integer' },
      materials: { type: 'array', items: { type: 'string' } },
      care: { type: 'string' },
    },
    required: ['sku', 'name', 'category', 'priceEur', 'stock'],
  },
  run({ input }) {
    const product = requireProduct(readSku(input))
    return reply(
      toDetails(product),
      image(pictures[product.category], 'image/png', { audience: ['user'], priority: 0.3 }),
      resourceLink({
        uri: `shop://products/${product.sku}`,
        name: product.sku,
        title: product.name,
        description: product.description,
        mimeType: 'application/json',
        annotations: { audience: ['user', 'assistant'], priority: 0.6 },
      }),
    )
  },
})
