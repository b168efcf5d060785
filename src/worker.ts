// The Worker of the example, whose tools are in tools/. The framework's entry is index.ts.
import { createWorker } from 'helve'
import { registry } from '../.helve/registry.ts'
import { tellOfChange } from '../tools/_flags/tell-of-change.ts'

const worker = createWorker({
  name: 'helve-shop',
  title: 'Helve example shop',
  version: '0.1.0',
  instructions:
    'A small kitchen shop. Search the catalog first; then ask for a product by its SKU. To buy, ' +
    'create a basket, put products into it, and check out.',
  registry,
})

// Cloudflare finds Durable Objects, and the entrypoint with the cache, by these names
export const { Handles, Hub, Bridge, Listings } = worker

export default {
  fetch: worker.fetch,
  async scheduled(_, { FLAGS }, { exports }) {
    const notify = worker.notify(exports)
    await tellOfChange(FLAGS, 'gift_wrap', async () => {
      await notify.toolsChanged()
      // the catalog mentions gift wrapping: this also purges it from the cache
      await notify.resourceUpdated('shop://catalog')
    })
  },
} satisfies ExportedHandler<Cloudflare.Env>
