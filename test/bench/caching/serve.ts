import type { Registry } from 'helve'
import { createAnotherWorker } from '../../../src/server.ts'
import { createWorkersCache } from '../../../src/testing/workers-cache/workers-cache.ts'

/**
 * One server three times over: made for each request; made for each request behind the entrypoint
 * that a cache would stand before; and kept by the stand-in for that cache, which is JavaScript where
 * the platform's is not, and so dearer.
 */
export function serve(registry: Registry) {
  const serveAt = (endpoint: `/${string}`, store: 'workers' | false = 'workers') =>
    createAnotherWorker({
      name: 'bench',
      version: '1',
      registry,
      audit: false,
      endpoint,
      cache: { store },
    })
  const [unkept, behind, kept] = [
    serveAt('/made', false),
    serveAt('/behind-listings'),
    serveAt('/kept'),
  ]
  const edge = createWorkersCache()
  return {
    ...behind,
    fetch(request: Request, env: Cloudflare.Env, ctx: ExecutionContext) {
      const { pathname } = new URL(request.url)
      if (pathname === '/made') return unkept.fetch(request, env, ctx)
      if (pathname === '/behind-listings') return behind.fetch(request, env, ctx)
      const exports = edge.inFrontOf({ Listings: kept.Listings }, env)
      return kept.fetch(request, env, Object.assign(ctx, { exports }))
    },
  }
}
