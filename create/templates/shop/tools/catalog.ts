import { defineResource } from 'helve'
import { products } from './_products.ts'

export default defineResource({
  uri: 'shop://catalog',
  description: 'All products with their prices.',
  mime: 'application/json',
  cache: '1h',
  shared: true,
  read: () => JSON.stringify(products),
})
