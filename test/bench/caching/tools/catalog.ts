import { defineResource } from 'helve'
import { products } from './_products/products.ts'

export default defineResource({
  uri: 'bench://catalog',
  mime: 'text/markdown',
  shared: true,
  cache: '1h',
  read: () =>
    products
      .map(({ sku, name, priceCents }) => `| ${sku} | ${name} | ${(priceCents / 100).toFixed(2)} |`)
      .join('\n'),
})
