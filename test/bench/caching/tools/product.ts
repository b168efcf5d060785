import { defineResource } from 'helve'
import { products } from './_products/products.ts'

export default defineResource({
  uri: 'bench://products/{sku}',
  mime: 'application/json',
  shared: true,
  cache: '1h',
  list: () => ({
    resources: products.map(({ sku, name }) => ({ uri: `bench://products/${sku}`, name })),
  }),
  read: ({ params }) => JSON.stringify(products.find(({ sku }) => sku === params.sku)),
})
