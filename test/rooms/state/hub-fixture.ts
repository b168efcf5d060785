import { createListen } from '../../../src/mcp/subscriptions.ts'
import { createHub, findHubNamespace } from '../../../src/state/hub.ts'
import { createStateKeySource } from '../../../src/state/state-key.ts'
import { toExchange } from '../exchange.ts'
import { WorkerLog } from '../../../src/out/log.ts'
import { createSanitizer } from '../../../src/out/sanitizer.ts'
import { createNotify } from '../../../src/state/notify.ts'
import type { JsonObject } from '../../../src/protocol/json.ts'
import type { MessageStream } from '../../../src/protocol/message.ts'
import { toRpcError } from '../../../src/protocol/failure.ts'
import type { StreamedOutcome } from '../../../src/protocol/outcome.ts'

/** What a test sends to the fixture. */
export interface ListenRequest {
  readonly id: string | number
  readonly notifications: unknown
  readonly scopes?: readonly string[]
  readonly digest?: string
  readonly shards?: number
  /** Milliseconds. */
  readonly maxAge?: number
  readonly expires?: number
}

const listenDefaults = { scopes: [], digest: 'v1', shards: 1, maxAge: 60_000 }
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
    const asked = { ...listenDefaults, ...(await request.json<ListenRequest>()) }
    const hub = createHub({ namespace, shards: asked.shards })
    if (pathname === '/publish') {
      await createNotify({
        hub: () => hub,
        purge: async () => {},
        log: () => new WorkerLog(createSanitizer([])),
      }).toolsChanged()
      return new Response()
    }
    const listen = createListen({
      hub: () => hub,
      lists: ['tools', 'resources'],
      canSee: async (uri) => uri.startsWith('shop://'),
      rightsOf: () => asked,
      digest: asked.digest,
      maxAge: asked.maxAge,
    })
    const params: JsonObject = { notifications: asked.notifications }
    const exchange = toExchange({ headers: request.headers, env, signal: request.signal })
    const message = {
      kind: 'request',
      id: asked.id,
      method: 'subscriptions/listen',
      params,
    } as const
    const outcome = await listen(message, exchange)
    if (outcome.kind === 'failure') return Response.json(toRpcError(outcome.failure))
    if (outcome.kind !== 'stream') return new Response('not a stream', { status: 500 })
    return new Response(toLines(outcome))
  },
} satisfies ExportedHandler<Cloudflare.Env>

/** Prints a stream as one JSON value a line, the result last. */
function toLines({ run }: StreamedOutcome): ReadableStream<Uint8Array> {
  const gone = new AbortController()
  const highWaterMark = 4 * 1024 * 1024
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const write = (value: object): void => {
          if (gone.signal.aborted) return
          controller.enqueue(new TextEncoder().encode(`${JSON.stringify(value)}\n`))
        }
        const stream: MessageStream = {
          send: write,
          backlog: () => highWaterMark - (controller.desiredSize ?? 0),
          signal: gone.signal,
        }
        void run(stream).then(({ members, meta }) => {
          write({ result: { members, meta } })
          if (!gone.signal.aborted) controller.close()
        })
      },
      cancel: () => gone.abort(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark }),
  )
}
