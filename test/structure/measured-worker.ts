import { createWorker, type Worker, type WorkerOptions } from 'helve'

/**
 * Creates a Worker that calls its own cached entrypoint through a function of this file, so that the calls
 * on both sides can be joined. `GET /calls` returns the calls since the last time; see record-calls.ts.
 */
export function createMeasuredWorker(
  options: WorkerOptions,
): Pick<Worker, 'Listings'> & ExportedHandler<Cloudflare.Env> {
  const worker = createWorker(options)
  return {
    Listings: worker.Listings,
    fetch(request, env, ctx) {
      if (request.url.endsWith('/calls')) return Response.json(takeCalls())
      const exports = withOwnListings(ctx.exports)
      return worker.fetch(request, env, Object.assign(ctx, { exports }))
    },
  }
}

function withOwnListings(exports: Cloudflare.Exports): object {
  const open: unknown = Reflect.get(exports, 'Listings')
  if (typeof open !== 'function') throw new TypeError('The fixture does not export Listings.')
  return {
    ...exports,
    Listings(options: unknown) {
      const stub = open(options)
      return { fetch: (request: unknown): Promise<Response> => stub.fetch(request) }
    },
  }
}

function takeCalls(): readonly unknown[] {
  const calls: unknown = Reflect.get(globalThis, 'recordedCalls')
  if (!Array.isArray(calls)) throw new TypeError('The bundle records no calls.')
  return calls.splice(0)
}
