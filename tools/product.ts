import { defineResource } from 'helve'
import * as z from 'zod'
import { catalog, findProduct } from './_catalog/catalog.ts'
import { toDetails } from './_catalog/details.ts'

export default defineResource({
  uri: 'shop://products/{sku}',
  title: 'Product',
  description: 'One product of the shop, with price in euros, stock, materials, care and origin.',
  mime: 'application/json',
  shared: true,
  cache: '5m',
  // in one spelling, as clients keep what they read under its URI
  params: z.object({ sku: z.string().regex(/^[A-Z]{2}-\d{3}$/) }),
  complete: {
    sku({ value }) {
      const typed = value.toLowerCase()
      return catalog
        .filter((product) => `${product.sku} ${product.name}`.toLowerCase().includes(typed))
        .map(({ sku }) => sku)
    },
  },
  list: () => ({
    resources: catalog.map(({ sku, name, description }) => ({
      uri: `shop://products/${sku}`,
      name: sku,
      title: name,
      description,
    })),
  }),
  read({ params }) {
    const product = findProduct(params.sku)
    return product === undefined ? null : JSON.stringify(toDetails(product), null, 2)
  },
})
