import { defineResource, defineTool } from 'helve'
import { createAnotherWorker } from '../../../src/server.ts'
import { custom } from '../../../src/auth/custom.ts'
import { createHub, findHubNamespace } from '../../../src/state/hub.ts'
import { createStateKeySource } from '../../../src/state/state-key.ts'
import { toRegistry } from '../../spec/registry.ts'
import { toModernRequest } from '../../support/modern-request.ts'

/** What a test sends to the fixture. */
export interface ListenRequest {
  readonly id: string | number
  readonly notifications: unknown
  readonly scopes?: readonly string[]
  readonly digest?: string
  readonly shards?: number
  readonly expires?: number
  readonly subject?: string
  readonly perCaller?: number
}

const registry = toRegistry({
  ping: defineTool({ description: 'Answers.', run: () => 'pong' }),
  pot: defineResource({ uri: 'shop://ü🫖', mime: 'text/plain', read: () => 'a pot' }),
  shop: defineResource({ uri: 'shop://{+path}', mime: 'text/plain', read: () => 'tea' }),
})

/** Creates the Worker that a test listens to: its caller and its registry are as the test says. */
function createListened(request: ListenRequest) {
  const { scopes = [], digest = 'v1', shards = 1, expires } = request
  const { subject = 'ada', perCaller = 1_000 } = request
  return createAnotherWorker({
    name: 'fixture',
    version: '1.0.0',
    registry: { ...registry, digest },
    hub: { shards, perCaller },
    cache: { store: false },
    audit: false,
    auth: custom(() => ({
      subject,
      scopes: [...scopes],
      ...(expires !== undefined && { expires }),
    })),
  })
}

const keys = createStateKeySource()

/*
 * A Worker that listens in its own requests, as a server does: sockets and promises are bound to the
 * request that created them, which a test that calls the functions directly would not notice.
 */
export default {
  async fetch(request, env, ctx) {
    const namespace = findHubNamespace(ctx.exports)
    if (namespace === null) return new Response('no hub', { status: 500 })
    const { pathname } = new URL(request.url)
    if (pathname === '/keys') {
      return Response.json(await keys(env, createHub({ namespace, shards: 1 })))
    }
    const asked = await request.json<ListenRequest>()
    const worker = createListened(asked)
    if (pathname === '/publish') {
      await worker.notify(ctx.exports).toolsChanged()
      return new Response()
    }
    const { id, notifications } = asked
    const params: object = { notifications }
    const listen = toModernRequest('https://fixture/mcp', 'subscriptions/listen', params, { id })
    return worker.fetch(new Request(listen, { signal: request.signal }), env, ctx)
  },
} satisfies ExportedHandler<Cloudflare.Env>
