/* What once got past a cache, or stayed in it, and does not any more. */
import { createExecutionContext } from 'cloudflare:test'
import { env, WorkerEntrypoint } from 'cloudflare:workers'
import { afterEach, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { createWorker, defineResource, defineTool } from 'helve'
import { findListings } from '../../../src/cache/listings.ts'
import { custom } from '../../../src/auth/custom.ts'
import { createWorkersCache } from '../../support/workers-cache.ts'
import { createServer, url } from '../../spec/server.ts'
import { toRegistry, type Made } from '../../spec/registry.ts'
import { toModernRequest } from '../../support/modern-request.ts'
import { makeThings, serve } from './crossing-stage.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const page = (read: () => string | Promise<string>): Record<string, Made> => ({
  page: defineResource({ uri: 'it://page', mime: 'text/plain', cache: '5m', shared: true, read }),
})
const readPage = { method: 'resources/read', params: { uri: 'it://page', name: 'it://page' } }
const textOf = (reply: { readonly body: ReturnType<typeof JSON.parse> }): string =>
  reply.body.result?.contents?.[0]?.text ??
  reply.body.result?.content?.[0]?.text ??
  reply.body.error?.message

const pause = () => new Promise((resolve) => setTimeout(resolve, 5))

/** A page whose first read is slow, and reads before it waits, as a database does. */
function slowPage(cache: 'workers' | 'colo') {
  let content = 'old'
  const gate = Promise.withResolvers<void>()
  const began = Promise.withResolvers<void>()
  const server = serve(
    cache,
    page(async () => {
      const read = content
      began.resolve()
      if (read === 'old') await gate.promise
      return read
    }),
  )
  const purge = () => server.worker.purge(server.context()[1].exports)({ resources: ['it://page'] })
  return {
    server,
    began: began.promise,
    open: () => gate.resolve(),
    purge,
    change: () => void (content = 'new'),
  }
}

test('colo: who comes after a purge does not get what was begun before it', async () => {
  const { server, began, open, purge, change } = slowPage('colo')
  const first = server.ask(readPage, 'nobody')
  await began
  await pause()
  change()
  await purge()
  await pause()
  const second = server.ask(readPage, 'nobody')
  await pause()
  open()
  await first
  expect(textOf(await second)).toBe('new')
})

test('workers: a fill that ran during a purge is not served after it', async () => {
  const { server, began, open, purge, change } = slowPage('workers')
  const first = server.ask(readPage, 'nobody')
  await began
  await pause()
  change()
  await purge()
  open()
  await first
  expect(textOf(await server.ask(readPage, 'nobody'))).toBe('new')
})

const loose = (): Record<string, Made> => ({
  tell: defineTool({
    description: 'Tells.',
    input: z.looseObject({}),
    cache: '5m',
    shared: true,
    hints: { readOnly: true },
    run: ({ input }) =>
      `${String(input['n'])} ${Object.is(input['n'], -0) ? 'minus ' : ''}${typeof input['n']}`,
  }),
})
const body = (n: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tell","arguments":{"n":${n}},"_meta":{` +
  '"io.modelcontextprotocol/protocolVersion":"2026-07-28",' +
  '"io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}'
const headers = {
  Accept: 'application/json, text/event-stream',
  'MCP-Protocol-Version': '2026-07-28',
  'Mcp-Method': 'tools/call',
  'Mcp-Name': 'tell',
}

test.each([
  ['colo', '1e999', 'null'],
  ['colo', '-0', '0'],
  ['workers', '1e999', 'null'],
] as const)('%s: %s does not answer for %s', async (cache, first, second) => {
  const cached = serve(cache, loose())
  const uncached = serve(false, loose())
  for (const n of [first, second]) {
    // one after another: the first is the one that could be kept
    // oxlint-disable-next-line no-await-in-loop
    const kept = await cached.post(body(n), headers)
    // oxlint-disable-next-line no-await-in-loop
    const made = await uncached.post(body(n), headers)
    expect(textOf(kept)).toBe(textOf(made))
  }
})

test('colo: two deployments of the same code do not share what they keep', async () => {
  const made = {
    tell: defineTool({
      description: 'Tells.',
      cache: '5m',
      hints: { readOnly: true },
      shared: true,
      run: ({ env }) => `of ${String(Reflect.get(env, 'TENANT'))}`,
    }),
  }
  const version = crypto.randomUUID()
  const call = async (name: string) => {
    const worker = createWorker({
      name,
      version,
      registry: toRegistry(made),
      cache: { store: 'colo' },
      audit: false,
    })
    const request = toModernRequest(`https://${name}.example.com/mcp`, 'tools/call', {
      name: 'tell',
    })
    const response = await worker.fetch(
      request,
      Object.assign(Object.create(env), { TENANT: name }),
      createExecutionContext(),
    )
    return textOf({ body: await response.json() })
  }
  expect(await call('production')).toBe('of production')
  expect(await call('staging')).toBe('of staging')
})

test('colo: callers who differ in a Set of their claims are not told apart by the code either', async () => {
  const auth = custom(({ headers }) => ({
    subject: 'team',
    claims: { roles: new Set([headers.get('X-Role')]) },
  }))
  const server = createServer(
    { auth, cache: { store: 'colo' }, audit: false, version: crypto.randomUUID() },
    {
      tell: defineTool({
        description: 'Tells.',
        cache: '5m',
        hints: { readOnly: true },
        run: ({ caller }) => {
          const roles = caller?.claims['roles']
          return roles instanceof Set ? [...roles].join() : 'none'
        },
      }),
    },
  )
  const call = (role: string) =>
    server.ask('tools/call', { name: 'tell' }, { headers: { 'X-Role': role } })
  // claims are what a token could carry, so that no code can tell what the key cannot
  expect(textOf(await call('admin'))).toBe('none')
  expect(textOf(await call('guest'))).toBe('none')
})

test('colo: those who wait for a fault get a run of their own', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  let runs = 0
  const server = serve(
    'colo',
    page(async () => {
      runs += 1
      const run = runs
      await pause()
      if (run === 1) throw new Error('Once.')
      return 'good'
    }),
  )
  const replies = await Promise.all([1, 2].map(() => server.ask(readPage, 'nobody')))
  expect(replies.map(textOf)[1]).toBe('good')
})

test.each([
  ['a scope that nobody proved', 'scoped', {}],
  ['a caller without the scope', 'scoped', { caller: { subject: 'eve', scopes: [], claims: {} } }],
  ['a concealed tool', 'concealed', {}],
  ['a private tool and nobody named', 'mine', {}],
])('the hop: %s gets nothing, and nothing is stored', async (_what, name, props) => {
  const server = serve('workers', makeThings())
  const ask = () =>
    findListings(server.context()[1].exports, props)?.fetch(
      `https://listings.invalid/tools/call?name=${name}&arguments=%7B%7D`,
    )
  expect((await ask())?.status).toBe(404)
  await ask()
  expect(server.edge.log.map(({ status }) => status)).not.toContain('HIT')
})

test('the hop: an address that the server would not have made stores nothing', async () => {
  const server = serve('workers', makeThings())
  const listings = findListings(server.context()[1].exports)
  const searches = [
    'uri=it%3A%2F%2Fshared&junk=1',
    'junk=2&uri=it%3A%2F%2Fshared',
    'uri=it%3A%2F%2Fshared&uri=x',
  ]
  for (const search of [...searches, ...searches]) {
    // one after another: the second of a kind would find what the first stored
    // oxlint-disable-next-line no-await-in-loop
    await listings?.fetch(`https://listings.invalid/resources/read?${search}`)
  }
  expect(server.edge.log.map(({ status }) => status)).not.toContain('HIT')
})

test('colo: what is gone is not served for the rest of its stale time', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  let content: string | null = 'here'
  const server = serve('colo', {
    page: defineResource({
      uri: 'it://page',
      mime: 'text/plain',
      cache: '5s',
      stale: '1h',
      shared: true,
      read: () => content,
    }),
  })
  await server.ask(readPage, 'nobody')
  content = null
  vi.setSystemTime(Date.now() + 10_000)
  await server.ask(readPage, 'nobody')
  await pause()
  await pause()
  expect(textOf(await server.ask(readPage, 'nobody'))).toContain('not found')
})

test('workers: arguments do not get into the log where the cache is out of order', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const server = serve('workers', makeThings())
  const ctx = Object.assign(createExecutionContext(), {
    exports: {
      Listings: () => ({ fetch: async () => new Response('<h1>error 1102</h1>', { status: 503 }) }),
    },
  })
  const params = { name: 'ours', arguments: { card: 'my-card-4111' } }
  const request = toModernRequest(url, 'tools/call', params)
  const response = await server.worker.fetch(request, env, ctx)
  expect(response.status).toBe(200)
  expect(JSON.stringify(log.mock.calls)).not.toContain('4111')
})

test('workers: a loopback that never answers does not hold a read for ever', async () => {
  vi.useFakeTimers()
  const server = serve(
    'workers',
    page(() => 'here'),
  )
  const ctx = Object.assign(createExecutionContext(), {
    exports: { Listings: () => ({ fetch: () => new Promise(() => {}) }) },
  })
  let ended = false
  const request = toModernRequest(url, 'resources/read', readPage.params, {
    headers: { Accept: 'application/json' },
  })
  void server.worker.fetch(request, env, ctx).then(() => (ended = true))
  await vi.advanceTimersByTimeAsync(120_000)
  expect(ended).toBe(true)
})

test('colo: the order in which somebody wrote arguments is not what the next one’s are in', async () => {
  const server = serve('colo', {
    tell: defineTool({
      description: 'Tells.',
      input: z.looseObject({}),
      cache: '5m',
      shared: true,
      hints: { readOnly: true },
      run: ({ input }) => JSON.stringify(input),
    }),
  })
  const uncached = serve(false, {
    tell: defineTool({
      description: 'Tells.',
      input: z.looseObject({}),
      cache: '5m',
      shared: true,
      hints: { readOnly: true },
      run: ({ input }) => JSON.stringify(input),
    }),
  })
  for (const args of [
    { b: 2, a: 1 },
    { a: 1, b: 2 },
  ]) {
    const ask = { method: 'tools/call', params: { name: 'tell', arguments: args } }
    // one after another: the first order is the one that could be kept
    // oxlint-disable-next-line no-await-in-loop
    const [kept, made] = [await server.ask(ask, 'nobody'), await uncached.ask(ask, 'nobody')]
    expect(textOf(kept)).toBe(textOf(made))
  }
})

test('a list that was asked for with inputResponses or requestState may be kept by nobody', async () => {
  const server = serve('workers')
  const reply = await server.ask(
    { method: 'resources/list', params: { requestState: 'made up' } },
    'nobody',
  )
  expect(reply.body.result?.ttlMs ?? 0).toBe(0)
  expect(server.edge.log).toEqual([])
})

test('workers: a tool that fails while it is made anew does not take the old result away', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.spyOn(console, 'error').mockImplementation(() => {})
  let runs = 0
  const server = serve('workers', {
    tell: defineTool({
      description: 'Tells.',
      cache: '1m',
      stale: '1h',
      shared: true,
      hints: { readOnly: true },
      run: () => {
        runs += 1
        if (runs > 1) throw new Error('The database is away for a moment.')
        return 'old'
      },
    }),
  })
  const ask = async () =>
    textOf(await server.ask({ method: 'tools/call', params: { name: 'tell' } }, 'nobody'))
  const said = [await ask()]
  vi.setSystemTime(Date.now() + 61_000)
  said.push(await ask())
  await server.edge.settled()
  said.push(await ask())
  expect(said).toEqual(['old', 'old', 'old'])
})

test('[cache] without [exports.default]: one host’s metadata is not another’s, and a document is not for bad keys', async () => {
  const auth = {
    ...custom(({ headers }) =>
      headers.get('Authorization') === 'Bearer good' ? { subject: 'ada' } : null,
    ),
    allowsAnonymous: true,
    authorizationServers: () => ['https://issuer.example'],
  }
  const worker = createWorker({
    name: 'a',
    version: '1',
    registry: toRegistry(makeThings()),
    auth,
    audit: false,
  })
  const bindings = { ...env }
  class Default extends WorkerEntrypoint {
    override fetch(request: Request): Promise<Response> {
      return worker.fetch(request, bindings, createExecutionContext())
    }
  }
  const { Default: front } = createWorkersCache().inFrontOf({ Default }, env)
  const get = async (url: string, headers = {}) => front.fetch(url, { headers })
  await get('https://evil.workers.dev/.well-known/oauth-protected-resource/mcp')
  const metadata = await (
    await get('https://mcp.example.com/.well-known/oauth-protected-resource/mcp')
  ).text()
  expect.soft(metadata).toContain('https://mcp.example.com/mcp')
  await get('https://mcp.example.com/mcp/tools')
  const refused = await get('https://mcp.example.com/mcp/tools', { Authorization: 'Bearer bad' })
  expect.soft(refused.status).toBe(401)
})
