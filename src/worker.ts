import { createWorker } from './server.ts'
import { registry } from '../.helve/registry.ts'

export default createWorker({
  name: 'helve-shop',
  title: 'Helve example shop',
  version: '0.1.0',
  instructions:
    'A small kitchen shop. Search the catalog first; then ask for a product by its SKU.',
  registry,
})
