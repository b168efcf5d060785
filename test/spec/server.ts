import { createExecutionContext } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import * as z from 'zod'
import { defineTool, ToolError, type Registry, type WorkerOptions } from 'helve'
import { createAnotherWorker } from '../../src/server.ts'
import {
  type LegacyChanges,
  type LegacyVersion,
  toInitialize,
  toLegacyPost,
  toLegacyRequest,
} from '../support/legacy-request.ts'
import { toModernRequest, type Changes } from '../support/modern-request.ts'
import { takeMessageProblems, toWatchedFetch } from '../support/watched-fetch.ts'
import {
  createWorkersCache,
  type WorkersCacheOptions,
} from '../../src/testing/workers-cache/workers-cache.ts'
import { toRegistry, type Made } from './registry.ts'

const tools = {
  hello: defineTool({
    description: 'Says hello.',
    input: z.object({ who: z.string() }),
    run: ({ input }) => `Hello, ${input.who}`,
  }),
  ping: defineTool({ description: 'Answers.', run: () => 'pong' }),
  add: defineTool({
    description: 'Adds.',
    input: z.object({ a: z.number(), b: z.number() }),
    output: z.object({ sum: z.number() }),
    hints: { readOnly: true },
    run: ({ input: { a, b } }) => ({ sum: a + b }),
  }),
  fail: defineTool({
    description: 'Fails.',
    run: () => {
      throw new ToolError('The shop is closed. Try again tomorrow.')
    },
  }),
  query: defineTool({
    description: 'Asks a region.',
    input: z.object({ region: z.string().optional().meta({ 'x-mcp-header': 'Region' }) }),
    run: ({ input }) => `asked ${input.region ?? 'everywhere'}`,
  }),
}

export const url = 'https://mcp.example.com/mcp'

/** A reply as tests look at it: the body parsed, or `null` where it is empty. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // a reply is whatever came: tests look into it and fail where it is something else
  readonly body: ReturnType<typeof JSON.parse>
}

/** A server, with a few tools unless a test brings its own, to be asked request by request. */
export function createServer(
  options: Partial<WorkerOptions> = {},
  made: Readonly<Record<string, Made>> = tools,
  cacheOptions: WorkersCacheOptions = {},
  // every test of a server also holds it to the official schema
  { isChecked = true }: { readonly isChecked?: boolean } = {},
) {
  const registry = withLimit(toRegistry(made), options.limit)
  const worker = createAnotherWorker({ name: 'spec', version: '1.2.3', registry, ...options })
  const edge = createWorkersCache(cacheOptions)
  // the exports of the Worker that the tests run in, but for the entrypoint, which is this server's own
  const bindings = { ...env, VERSION: { id: crypto.randomUUID() } }
  const own = edge.inFrontOf({ Listings: worker.Listings }, bindings, exports)
  const context = (): [Cloudflare.Env, ExecutionContext] => {
    const ctx = createExecutionContext()
    return [bindings, Object.assign(ctx, { exports: own })]
  }

  const fetch = toWatchedFetch(async (request) => {
    if (!(request instanceof Request)) throw new TypeError('A test sent no request.')
    return worker.fetch(request, ...context())
  })

  async function send(request: Request): Promise<Reply> {
    const response = await fetch(request)
    const text = await response.text()
    const body: unknown = text.startsWith('{') ? JSON.parse(text) : null
    const problems = takeMessageProblems()
    if (isChecked && problems.length > 0) throw new Error(problems.join('\n'))
    return { status: response.status, headers: response.headers, text, body }
  }
  return {
    worker,
    fetch,
    /** The stand-in for the platform's cache. */
    edge,
    context,
    send,
    ask: (method: string, params: object = {}, changes: Changes = {}) =>
      send(toModernRequest(url, method, params, changes)),
    post: (body: string, headers: Record<string, string> = {}) =>
      send(new Request(url, { method: 'POST', body, headers: { ...jsonType, ...headers } })),
    /** Sends a request of a revision that begins with `initialize`. */
    askLegacy: (method: string, params?: object, changes?: LegacyChanges) =>
      send(toLegacyRequest(url, method, params, changes)),
    postLegacy: (body: string, changes?: LegacyChanges) => send(toLegacyPost(url, body, changes)),
    /** Sends `initialize`, and returns the session id. */
    initialize: async (
      version: LegacyVersion = '2025-11-25',
      capabilities: object = {},
    ): Promise<string> => {
      const { headers, text } = await send(toInitialize(url, version, capabilities))
      const session = headers.get('Mcp-Session-Id')
      if (session === null) throw new Error(`\`initialize\` returned no session id: ${text}`)
      return session
    },
  }
}

/** The registry of a Worker whose wrangler.toml has the binding that counts its requests. */
function withLimit(registry: Registry, limit: string | undefined): Registry {
  if (limit === undefined) return registry
  const limits = { [limit]: { limit: 100, period: 60 } }
  return { ...registry, bindings: { ...registry.bindings, limits } }
}

const jsonType = { 'Content-Type': 'application/json' }
