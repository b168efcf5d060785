import { defineResource } from 'helve'
import { toPriceList } from './_catalog/price-list.ts'
import { isOn } from './_flags/is-on.ts'

export default defineResource({
  uri: 'shop://catalog',
  title: 'Catalog',
  description: 'Everything the shop sells, shelf by shelf, with SKUs, prices in euros and stock.',
  mime: 'text/markdown',
  annotations: { audience: ['user', 'assistant'], priority: 0.8 },
  shared: true,
  cache: '1h',
  // cached at the edge too: after a change of the flag, src/worker.ts purges it
  stale: '1h',
  read: async ({ env }) => toPriceList({ wrapsGifts: await isOn(env.FLAGS, 'gift_wrap') }),
})
