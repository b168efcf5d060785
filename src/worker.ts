import { createWorker } from './server.ts'
import { registry } from '../.helve/registry.ts'

const worker = createWorker({
  name: 'helve-shop',
  title: 'Helve example shop',
  version: '0.1.0',
  instructions:
    'A small kitchen shop. Search the catalog first; then ask for a product by its SKU. To buy, ' +
    'create a basket, put products into it, and check out.',
  registry,
})

// Cloudflare finds the classes of Durable Objects by these names
export const { Handles, Hub } = worker
export default worker
