import { defineResource } from 'helve'
import { toPriceList } from './_catalog/price-list.ts'

export default defineResource({
  uri: 'shop://catalog',
  title: 'Catalog',
  description: 'Everything the shop sells, shelf by shelf, with SKUs, prices in euros and stock.',
  mime: 'text/markdown',
  annotations: { audience: ['user', 'assistant'], priority: 0.8 },
  shared: true,
  fresh: '1h',
  read: () => toPriceList(),
})
