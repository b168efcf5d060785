import * as z from 'zod'
import { createWorker, defineResource, defineTool } from 'helve'
import { toRegistry } from '../spec/registry.ts'
import { createWorkersCache } from '../support/workers-cache.ts'

/*
 * One server three times over: made for each request; made for each request behind the entrypoint
 * that a cache would stand before; and kept by the stand-in for that cache, which is JavaScript where
 * the platform's is not, and so dearer.
 */

const materials = ['steel', 'beech', 'cast iron', 'linen', 'glass']
const products = Array.from({ length: 500 }, (_, number) => ({
  sku: `KN-${number}`,
  name: `Product ${number}`,
  material: materials[number % materials.length] ?? '',
  priceCents: 990 + number,
}))

const made = {
  product: defineResource({
    uri: 'bench://products/{sku}',
    mime: 'application/json',
    shared: true,
    cache: '1h',
    list: () => ({
      resources: products.map(({ sku, name }) => ({ uri: `bench://products/${sku}`, name })),
    }),
    read: ({ params }) => JSON.stringify(products.find(({ sku }) => sku === params.sku)),
  }),
  catalog: defineResource({
    uri: 'bench://catalog',
    mime: 'text/markdown',
    shared: true,
    cache: '1h',
    read: () =>
      products
        .map(
          ({ sku, name, priceCents }) => `| ${sku} | ${name} | ${(priceCents / 100).toFixed(2)} |`,
        )
        .join('\n'),
  }),
  double: defineTool({
    description: 'Doubles: next to nothing, to see what the way to a cache costs.',
    hints: { readOnly: true },
    cache: '1h',
    shared: true,
    input: z.object({ number: z.number() }),
    output: z.object({ number: z.number() }),
    run: ({ input }) => ({ number: input.number * 2 }),
  }),
  search: defineTool({
    description: 'Searches.',
    hints: { readOnly: true },
    cache: '1h',
    shared: true,
    input: z.object({ query: z.string() }),
    output: z.object({
      found: z.array(z.object({ sku: z.string(), name: z.string(), priceCents: z.number() })),
    }),
    run: ({ input: { query } }) => ({
      found: products.filter(({ material }) => material.includes(query)),
    }),
  }),
}

const serve = (endpoint: `/${string}`, store: 'workers' | false = 'workers') =>
  createWorker({
    name: 'bench',
    version: '1',
    registry: toRegistry(made),
    audit: false,
    endpoint,
    cache: { store },
  })
const [unkept, behind, kept] = [serve('/made', false), serve('/behind-listings'), serve('/kept')]
const edge = createWorkersCache()

export const { Listings } = behind

export default {
  fetch(request, env, ctx) {
    const { pathname } = new URL(request.url)
    if (pathname === '/made') return unkept.fetch(request, env, ctx)
    if (pathname === '/behind-listings') return behind.fetch(request, env, ctx)
    const exports = edge.inFrontOf({ Listings: kept.Listings }, env)
    return kept.fetch(request, env, Object.assign(ctx, { exports }))
  },
} satisfies ExportedHandler<Cloudflare.Env>
