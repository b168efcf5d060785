import { afterEach, beforeEach, expect, test, vi, type MockInstance } from 'vitest'
import * as z from 'zod'
import { definePrompt, defineTool, form } from 'helve'
import { custom } from '../../../src/auth/custom.ts'
import { optionalAuth } from '../../../src/auth/optional-auth.ts'
import { toCallerDigest } from '../../../src/auth/request/guard.ts'
import type { AuthResult } from '../../../src/define/authenticator.ts'
import { createServer } from '../../spec/server.ts'
import { type Changes, toModernBody, toModernRequest } from '../../support/modern-request.ts'
import { toInitialize } from '../../support/legacy-request.ts'
import { echo, endpoint, ping, send, toPost, toStream, type Served } from './served.ts'

/* Every request has one line in the log, whatever becomes of it. */

const description = 'A tool of this test.'
const made = {
  echo,
  pay: defineTool({ description, scopes: ['shop:write'], run: () => 'paid' }),
  asks: defineTool({
    description,
    ask: () => ({ sure: form('Sure?', z.object({ sure: z.boolean() })) }),
    run: () => 'done',
  }),
  breaks: defineTool({
    description,
    run() {
      throw new Error('hunter2')
    },
  }),
  greet: definePrompt({
    description,
    messages() {
      throw new Error('hunter2')
    },
  }),
}

const ada = { subject: 'ada', scopes: [], claims: {} }

const byToken = custom(({ headers }) => {
  return headers.get('Authorization') === 'Bearer good' ? { subject: 'ada' } : null
})
const auth = optionalAuth(byToken)

/** A server that authenticates every caller like this. */
const decided = (result: AuthResult | Error, issuers: readonly string[] = []): Served => ({
  options: {
    auth: {
      allowsAnonymous: false,
      authorizationServers: () => issuers,
      authenticate: async () => {
        if (result instanceof Error) throw result
        return result
      },
    },
  },
})

/** A server that counts its requests, and lets this be the outcome. */
function limited(count: () => Promise<{ readonly success: boolean }>): Served {
  const options: object = { limit: 'CALLS', whenUnreachable: 'refuse' }
  return { options, bindings: { CALLS: { limit: count } } }
}

const good = { Authorization: 'Bearer good' }
const foreign = { Origin: 'https://evil.example.com' }

function call(name: string, input: object = {}, changes: Changes = {}): Request {
  return ask('tools/call', { name, arguments: input }, changes)
}

function ask(method: string, params: object = {}, changes: Changes = {}): Request {
  return toModernRequest(endpoint, method, params, changes)
}

function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Request {
  return new Request(`http://127.0.0.1:8787${path}`, { method, headers })
}

const anyId = expect.stringMatching(/^[\da-f-]{36}$/)
const metadata = '/.well-known/oauth-protected-resource/mcp'
const message = { id: 1, method: 'tools/call' }
const modern = { revision: '2026-07-28' }
const unread = { method: 'POST /mcp' }

const elsewhere = { 'io.modelcontextprotocol/protocolVersion': '1900-01-01' }
const earlier = { meta: elsewhere, headers: { 'MCP-Protocol-Version': '1900-01-01' } }
const asking = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } } }
const onlyJson = { headers: { Accept: 'application/json' } }
const broken = new ReadableStream({
  start: (controller) => controller.enqueue(new TextEncoder().encode('{')),
  pull: (controller) => controller.error(new Error('Network connection lost.')),
})

type Row = readonly [what: string, status: number, line: object, request: Request, served?: Served]

const rows: readonly Row[] = [
  // before anything is read
  ['a foreign origin', 403, { ...unread, outcome: 'foreign-origin' }, toPost(ping, foreign)],
  [
    'a foreign origin of a document',
    403,
    { method: 'GET /mcp/tools', outcome: 'foreign-origin' },
    get('/mcp/tools', foreign),
  ],
  [
    'a caller without credentials',
    401,
    { ...unread, outcome: 'unauthorized' },
    toPost(ping),
    decided({ kind: 'anonymous' }),
  ],
  [
    'bad credentials',
    401,
    { ...unread, outcome: 'unauthorized' },
    toPost(ping),
    decided({ kind: 'refused', why: 'The token has expired.' }),
  ],
  [
    'malformed credentials',
    400,
    { ...unread, outcome: 'malformed-credentials' },
    toPost(ping),
    decided({ kind: 'malformed' }),
  ],
  [
    'credentials that cannot be checked',
    503,
    { ...unread, outcome: 'authentication-unavailable', errorId: anyId },
    toPost(ping),
    decided(new Error('down')),
  ],
  [
    'one request too many',
    429,
    { ...unread, outcome: 'rate-limited' },
    toPost(ping),
    limited(async () => ({ success: false })),
  ],
  [
    'a request that cannot be counted',
    429,
    { ...unread, outcome: 'rate-limited' },
    toPost(ping),
    limited(() => Promise.reject(new Error('down'))),
  ],
  [
    'a missing binding',
    200,
    { ...unread, outcome: 'internal', errorId: anyId },
    toPost(ping),
    { ...limited(async () => ({ success: true })), bindings: {} },
  ],
  [
    'a missing binding, for a document',
    500,
    { method: 'GET /mcp/tools', outcome: 'document-failed', errorId: anyId },
    get('/mcp/tools'),
    { ...limited(async () => ({ success: true })), bindings: {} },
  ],
  // the message
  [
    'another content type',
    415,
    { ...unread, outcome: 'unsupported-media-type' },
    toPost(ping, { 'Content-Type': 'text/plain' }),
  ],
  [
    'an Accept of neither type',
    406,
    { ...unread, outcome: 'not-acceptable' },
    toPost(ping, { Accept: 'text/html' }),
  ],
  ['2 MiB', 413, { ...unread, outcome: 'body-too-large' }, toPost('a'.repeat(2_097_152))],
  [
    '2 MiB without a length',
    413,
    { ...unread, outcome: 'body-too-large' },
    toPost(toStream('a'.repeat(2_097_152))),
  ],
  ['a body that breaks off', 400, { ...unread, outcome: 'unparsable' }, toPost(broken)],
  ['malformed JSON', 400, { ...unread, outcome: 'unparsable' }, toPost('{')],
  ['a batch', 400, { ...unread, outcome: 'invalid-request' }, toPost('[]')],
  [
    'a message without a method',
    400,
    { ...unread, id: 7, outcome: 'invalid-request' },
    toPost('{"jsonrpc":"2.0","id":7}'),
  ],
  [
    'a notification',
    202,
    { method: 'notifications/x', outcome: 'complete' },
    toPost('{"jsonrpc":"2.0","method":"notifications/x"}'),
  ],
  // the envelope
  [
    'an unknown version',
    400,
    { ...message, revision: '1900-01-01', name: 'echo', outcome: 'unsupported-version' },
    call('echo', {}, earlier),
  ],
  [
    'an earlier client that is not served',
    400,
    { id: 1, method: 'initialize', revision: '2025-06-18', outcome: 'legacy-client' },
    toInitialize(endpoint, '2025-06-18', {}),
    { options: { legacy: false } },
  ],
  [
    'a header that says something else',
    400,
    { ...message, name: 'echo', outcome: 'header-mismatch' },
    call('echo', {}, { headers: { 'Mcp-Name': 'pay' } }),
  ],
  ['an unknown method', 404, { id: 1, method: 'x/y', outcome: 'unknown-method' }, ask('x/y')],
  // the call
  ['a call', 200, { ...message, name: 'echo', outcome: 'complete' }, toPost(ping)],
  ['a list', 200, { id: 1, method: 'tools/list', outcome: 'complete' }, ask('tools/list')],
  [
    'an unknown tool',
    200,
    { ...message, name: 'unknown', outcome: 'invalid-params' },
    call('unknown'),
  ],
  ['bad arguments', 200, { ...message, name: 'echo', outcome: 'isError' }, call('echo', { a: 1 })],
  [
    'a missing scope',
    403,
    { ...message, name: 'pay', outcome: 'insufficient-scope', caller: true },
    call('pay', {}, { headers: good }),
  ],
  [
    'a missing scope of an anonymous caller',
    401,
    { ...message, name: 'pay', outcome: 'unauthorized' },
    call('pay'),
  ],
  [
    'a missing capability',
    400,
    { ...message, name: 'asks', outcome: 'missing-capability' },
    call('asks'),
  ],
  [
    'a question',
    200,
    { ...message, name: 'asks', outcome: 'input_required' },
    call('asks', {}, { meta: asking }),
  ],
  [
    'a tool that fails',
    200,
    { ...message, name: 'breaks', outcome: 'isError', errorId: anyId },
    call('breaks'),
  ],
  [
    'a prompt that fails',
    200,
    { id: 1, method: 'prompts/get', name: 'greet', outcome: 'internal', errorId: anyId },
    ask('prompts/get', { name: 'greet' }),
  ],
  [
    'a stream where the client takes none',
    406,
    { id: 1, method: 'subscriptions/listen', outcome: 'not-acceptable' },
    ask('subscriptions/listen', { notifications: {} }, onlyJson),
  ],
  // everything else
  ['an unknown path', 404, { method: 'GET /x', outcome: 'not-found' }, get('/x')],
  [
    'an unknown path below the endpoint',
    404,
    { method: 'POST /mcp/x', outcome: 'not-found' },
    get('/mcp/x?y=1', {}, 'POST'),
  ],
  [
    'another method at the endpoint',
    405,
    { method: 'GET /mcp', outcome: 'method-not-allowed' },
    get('/mcp'),
  ],
  [
    'another method at a document',
    405,
    { method: 'DELETE /mcp/tools', outcome: 'method-not-allowed' },
    get('/mcp/tools', {}, 'DELETE'),
  ],
  ['OPTIONS', 204, { method: 'OPTIONS /mcp', outcome: 'complete' }, get('/mcp', {}, 'OPTIONS')],
  [
    'a preflight',
    204,
    { method: 'OPTIONS /mcp', outcome: 'complete' },
    get(
      '/mcp',
      { Origin: 'https://claude.ai', 'Access-Control-Request-Method': 'POST' },
      'OPTIONS',
    ),
  ],
  ['a document', 200, { method: 'GET /mcp/tools', outcome: 'complete' }, get('/mcp/tools')],
  [
    'the headers of a document',
    200,
    { method: 'HEAD /mcp/tools', outcome: 'complete' },
    get('/mcp/tools', {}, 'HEAD'),
  ],
  [
    'a document that a client has',
    304,
    { method: 'GET /mcp/tools', outcome: 'complete', bytes: 0 },
    get('/mcp/tools', { 'If-None-Match': '*' }),
  ],
  [
    'a page that a document has not',
    400,
    { method: 'GET /mcp/tools', outcome: 'document-failed' },
    get('/mcp/tools?cursor=x'),
  ],
  [
    'a document for a caller without credentials',
    401,
    { method: 'GET /mcp/tools', outcome: 'unauthorized' },
    get('/mcp/tools'),
    decided({ kind: 'anonymous' }),
  ],
  [
    'the protected resource metadata',
    200,
    { method: `GET ${metadata}`, outcome: 'complete' },
    get(metadata),
    decided({ kind: 'anonymous' }, ['https://auth.example']),
  ],
  [
    'a preflight of the metadata',
    204,
    { method: `OPTIONS ${metadata}`, outcome: 'complete' },
    get(metadata, {}, 'OPTIONS'),
    decided({ kind: 'anonymous' }, ['https://auth.example']),
  ],
  [
    'another method at the metadata',
    405,
    { method: `DELETE ${metadata}`, outcome: 'method-not-allowed' },
    get(metadata, {}, 'DELETE'),
    decided({ kind: 'anonymous' }, ['https://auth.example']),
  ],
]

let log: MockInstance<typeof console.log>

beforeEach(() => {
  log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})

afterEach(() => {
  vi.restoreAllMocks()
})

function lines(): readonly Record<string, unknown>[] {
  return log.mock.calls.map(([line]) => JSON.parse(String(line)))
}

/** The members of each line that the table does not name. */
const rest = { level: 'info', what: 'audit', bytes: expect.any(Number), ms: expect.any(Number) }

test.for(rows)('has a line: %s (%i)', async ([, status, line, request, served = {}]) => {
  const options = { auth, audit: {}, ...served.options }
  const reply = await send(request, { made, ...served, options })
  expect(reply.status).toBe(status)
  const caller = 'caller' in line ? { caller: await toCallerDigest(ada) } : {}
  const revision =
    'method' in line && String(line.method).includes(' ') ? {} : { revision: '2026-07-28' }
  expect(lines()).toEqual([{ ...rest, status, ...revision, ...line, ...caller }])
})

test('a line is masked, whatever of the request is in it', async () => {
  const secret = 'hunter2-Xq8LmZ4v'
  const bindings = { API_KEY: secret }
  const options = { audit: { arguments: true } }
  await send(get(`/${secret}`), { options, bindings })
  await send(call(`x${secret}`, { [secret]: secret }), { options, bindings })
  expect(lines()).toMatchObject([
    { method: 'GET /[secret]' },
    { name: 'x[secret]', arguments: { '[secret]': '[secret]' } },
  ])
})

test('without `audit` there is no line', async () => {
  await send(toPost(ping))
  await send(get('/x'))
  expect(lines()).toEqual([])
})

test('a stream has its line when it ends, and not before', async () => {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  const reports = defineTool({
    description,
    async run({ progress }) {
      progress(1, 2)
      await opened
      return 'x'
    },
  })
  const { worker, context } = createServer({}, { reports })
  const response = await worker.fetch(
    call('reports', {}, { meta: { progressToken: 'p' } }),
    ...context(),
  )
  expect(response.headers.get('Content-Type')).toBe('text/event-stream')
  expect(lines()).toEqual([])
  open()
  await response.text()
  expect(lines()).toEqual([
    { ...rest, ...message, ...modern, name: 'reports', outcome: 'complete', status: 200 },
  ])
})

const listening = toModernBody('subscriptions/listen', {
  notifications: { toolsListChanged: true },
})

/** Opens a listen stream of a caller whose credentials end after this time. */
async function listen(ms: number): Promise<Response> {
  const expiring = custom(() => ({ subject: 'ada', expires: Date.now() + ms }))
  const { worker, context } = createServer({ auth: expiring }, { echo })
  const request = toPost(listening, { 'Mcp-Method': 'subscriptions/listen' })
  request.headers.delete('Mcp-Name')
  return worker.fetch(request, ...context())
}

const listened = {
  ...rest,
  ...modern,
  id: 1,
  method: 'subscriptions/listen',
  outcome: 'complete',
  status: 200,
}

test('a listen stream has its line when it ends', async () => {
  const response = await listen(300)
  expect(lines()).toEqual([])
  expect(await response.text()).toContain('"resultType":"complete"')
  expect(lines()).toEqual([{ ...listened, caller: expect.any(String) }])
})

test('a listen stream has its line when its client leaves', async () => {
  const response = await listen(60_000)
  await response.body?.cancel()
  await expect.poll(lines).toEqual([{ ...listened, caller: expect.any(String) }])
})

test('a stream whose work fails has its line', async () => {
  const sum = definePrompt({ description, messages: () => Promise.reject(new Error('down')) })
  const headers = { Accept: 'text/event-stream' }
  const request = ask('prompts/get', { name: 'sum' }, { headers })
  const { text } = await send(request, { options: { audit: {} }, made: { sum } })
  expect(text).toContain('-32603')
  expect(lines()).toMatchObject([{ method: 'prompts/get', name: 'sum', outcome: 'internal' }])
})
