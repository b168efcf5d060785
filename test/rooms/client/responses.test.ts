import { expect, test } from 'vitest'
import { createServer } from '../../spec/server.ts'
import { ClientError, createClient } from '../../../src/client/client.ts'
import { createScripted, toError, toEvent, toResult, toStream } from './scripted-server.ts'

const done = { content: [{ type: 'text', text: 'done' }] }
const result = { resultType: 'complete', prompts: [{ name: 'plan' }] }

test('a real server is discovered, listed and called', async () => {
  const { fetch } = createServer()
  const client = createClient({ url: 'https://mcp.example.com/mcp', fetch })
  expect(await client.discover()).toMatchObject({
    supportedVersions: expect.arrayContaining(['2026-07-28']),
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'spec', version: '1.2.3' } },
  })
  const tools = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['add', 'fail', 'hello', 'ping', 'query'])
  expect((await client.callTool('add', { a: 1, b: 2 })).structuredContent).toEqual({ sum: 3 })
  expect((await client.callTool('query', { region: 'Österreich' })).content).toEqual([
    { type: 'text', text: 'asked Österreich' },
  ])
  expect(await client.callTool('fail')).toMatchObject({ isError: true })
  await expect(client.callTool('nothing')).rejects.toMatchObject({
    reason: 'refused',
    code: -32602,
  })
})

test.each([
  ['line feeds', '\n'],
  ['carriage returns', '\r'],
  ['both', '\r\n'],
])('a stream whose lines end with %s is read, cut anywhere', async (_, end) => {
  const lines = [
    ': keep-alive',
    'event: ping',
    'data: {"not":"a message"}',
    '',
    'id: 1',
    'retry: 100',
    'data:',
    '',
    'event: message',
    `data: {"jsonrpc": "2.0", "id": 1,`,
    `data:"result": ${JSON.stringify(result).replace('plan', 'plän')}}`,
    '',
    '',
  ]
  const bytes = new TextEncoder().encode(`\uFEFF${lines.join(end)}`)
  for (let size = 1; size < 7; size += 1) {
    const { client } = createScripted(() => {
      const body = new ReadableStream({
        start(controller) {
          for (let at = 0; at < bytes.length; at += size) {
            controller.enqueue(bytes.slice(at, at + size))
          }
          controller.close()
        },
      })
      return new Response(body, { headers: { 'Content-Type': 'Text/Event-Stream' } })
    })
    // oxlint-disable-next-line no-await-in-loop -- a machine with two cores
    expect(await client.listPrompts()).toEqual([{ name: 'plän' }])
  }
})

test('progress of this request that goes further is reported, and log messages', async () => {
  const params = { progressToken: 1, progress: 1, total: 3, message: 'one' }
  const progress = (changes: object): string =>
    toEvent({ method: 'notifications/progress', params: { ...params, ...changes } })
  const log = (params: object): string => toEvent({ method: 'notifications/message', params })
  const { client, seen } = createScripted(() =>
    toStream([
      progress({}),
      progress({ progress: 1 }),
      progress({ progressToken: '1', progress: 2 }),
      progress({ progress: '3' }),
      progress({ progress: 3, total: 'x', message: 4 }),
      log({ level: 'info', data: { a: 1 }, logger: 'shop' }),
      log({ level: 'loud', data: 1 }),
      toEvent({ method: 'notifications/unknown' }),
      toEvent({ id: 1, result: { resultType: 'complete', contents: [] } }),
    ]),
  )
  const heard: unknown[] = []
  const hear = (one: unknown): void => void heard.push(one)
  await client.readResource('a:b', { onProgress: hear, onLog: hear, logLevel: 'notice' })
  expect(heard).toEqual([
    { progress: 1, total: 3, message: 'one' },
    { progress: 3 },
    { level: 'info', data: { a: 1 }, logger: 'shop' },
  ])
  expect(seen[0]?.body.params._meta).toMatchObject({
    progressToken: 1,
    'io.modelcontextprotocol/logLevel': 'notice',
  })
})

const wrongId = { jsonrpc: '2.0', id: '1', result }
const asking = { jsonrpc: '2.0', id: 9, method: 'sampling/createMessage', params: {} }

test.each([
  ['HTML', () => new Response('<html>', { headers: { 'Content-Type': 'text/html' } }), 'text/html'],
  ['nothing', () => new Response(null, { status: 202 }), 'is empty, and not JSON'],
  ['broken JSON', () => toJson('{"jsonrpc":'), 'is not JSON.'],
  ['a list', () => Response.json([{ jsonrpc: '2.0', id: 1, result }]), 'not a JSON-RPC 2.0'],
  ['JSON-RPC 1', () => Response.json({ id: 1, result }), 'is not a JSON-RPC 2.0 message'],
  ['the id of another request', () => Response.json(wrongId), 'is for another request'],
  ['both', () => Response.json({ ...wrongId, id: 1, error: {} }), 'neither a result nor an error'],
  ['an error without a code', () => Response.json({ jsonrpc: '2.0', id: 1, error: {} }), 'a code'],
  ['a request', () => toStream([toEvent(asking)]), 'The server sent a request'],
  ['an event that is no JSON', () => toStream(['data: hello\n\n']), 'is not JSON.'],
  [
    'a list that is none',
    () => toPrompts({ prompts: {} }),
    '`prompts` of prompts/list is not what',
  ],
  ['a wrong member', () => toPrompts({ prompts: [{ name: 'a' }, { name: 1 }] }), '`[1].name`'],
  ['an unknown type', () => toPrompts({ resultType: 'later' }), 'of a type that this client'],
  ['a question', () => toPrompts({ resultType: 'input_required' }), 'of a type that this client'],
])('a response with %s is an error', async (_, answer, sentence) => {
  const { client } = createScripted(answer)
  await expect(client.listPrompts()).rejects.toMatchObject({
    name: 'ClientError',
    reason: 'invalid',
    code: null,
    message: expect.stringContaining(sentence),
  })
})

function toJson(text: string): Response {
  return new Response(text, { headers: { 'Content-Type': 'application/json' } })
}

function toPrompts(members: object): Response {
  return Response.json({ jsonrpc: '2.0', id: 1, result: { ...result, ...members } })
}

test.each([
  ['that ends', () => toStream([])],
  ['that ends within an event', () => toStream([toEvent({ id: 1, result }).slice(0, -1)])],
  [
    'that breaks',
    () => new Response(toBroken(), { headers: { 'Content-Type': 'text/event-stream' } }),
  ],
])('a stream %s before the response is a lost connection', async (_, answer) => {
  const { client } = createScripted(answer)
  await expect(client.listPrompts()).rejects.toMatchObject({ reason: 'unreachable', code: null })
})

function toBroken(): ReadableStream {
  return new ReadableStream({ pull: (controller) => controller.error(new Error('reset')) })
}

test('a result without a type is complete, as those of earlier revisions are', async () => {
  const { client } = createScripted(({ body }) =>
    Response.json({ jsonrpc: '2.0', id: body.id, result: { prompts: [] } }),
  )
  expect(await client.listPrompts()).toEqual([])
})

test('a server that cannot be reached is named, with the cause', async () => {
  const cause = new TypeError('refused')
  const { client } = createScripted(() => Promise.reject(cause))
  await expect(client.listPrompts()).rejects.toMatchObject({
    reason: 'unreachable',
    message: 'There is no response from https://mcp.example.com.',
    cause,
  })
})

test('an error of HTTP alone has its status, its text and its headers', async () => {
  const headers = new Headers({ 'WWW-Authenticate': 'Bearer scope="shop"' })
  const { client } = createScripted(() => new Response('Who?', { status: 401, headers }))
  const error = await client.listPrompts().catch((error: unknown) => error)
  expect(error).toMatchObject({
    reason: 'http',
    code: null,
    status: 401,
    message: 'The server answered with status 401: Who?',
  })
  if (!(error instanceof ClientError)) throw new TypeError('It is no ClientError.')
  expect(error.headers?.get('WWW-Authenticate')).toBe('Bearer scope="shop"')
})

test('a JSON-RPC error has its code, data and status, also without an id', async () => {
  const error = { code: -32022, message: 'Old.', data: { supported: ['2025-11-25'] } }
  const expected = { reason: 'refused', code: -32022, data: error.data, status: 400 }
  const { client } = createScripted((one, count) =>
    count === 1
      ? toError(one, error, { status: 400 })
      : Response.json({ jsonrpc: '2.0', error }, { status: 400 }),
  )
  await expect(client.listPrompts()).rejects.toMatchObject({ ...expected, message: 'Old.' })
  await expect(client.listPrompts()).rejects.toMatchObject(expected)
})

test('a redirect is not followed, so that no other host gets the token', async () => {
  const { client, seen } = createScripted(
    (_one, _count, request) => {
      expect(request.redirect).toBe('manual')
      return new Response(null, { status: 307, headers: { Location: 'https://evil.example/' } })
    },
    { token: 'secret' },
  )
  await expect(client.listPrompts()).rejects.toMatchObject({
    reason: 'http',
    status: 307,
    message: expect.stringContaining('The server redirects to https://evil.example/.'),
  })
  expect(seen).toHaveLength(1)
})

test('all pages are listed, and an empty cursor is one', async () => {
  const pages = [{ nextCursor: '' }, { nextCursor: 'b' }, {}]
  const { client, seen } = createScripted((one, count) =>
    toResult(one, { prompts: [{ name: `p${count}` }], ...pages[count - 1] }),
  )
  expect((await client.listPrompts()).map(({ name }) => name)).toEqual(['p1', 'p2', 'p3'])
  expect(seen.map(({ body }) => body.params.cursor)).toEqual([undefined, '', 'b'])
})

test.each([
  ['go round in a circle', (count: number) => String(count % 3), 4, 'in a circle'],
  ['never end', String, 1_000, 'more than 1000 pages'],
])('pages that %s are not read for ever', async (_, toCursor, requests, sentence) => {
  const { client, seen } = createScripted((one, count) =>
    toResult(one, { prompts: [], nextCursor: toCursor(count) }),
  )
  await expect(client.listPrompts()).rejects.toThrow(sentence)
  expect(seen).toHaveLength(requests)
})

test.each([
  ['JSON', 'application/json', ' '],
  ['an event', 'text/event-stream', 'data: x\n'],
  ['a line', 'text/event-stream', ': '],
])('%s that never ends is given up after 32 MiB', async (_, type, text) => {
  const chunk = new TextEncoder().encode(text.repeat(512 * 1024))
  let sent = 0
  let isCancelled = false
  const { client } = createScripted(() => {
    const body = new ReadableStream({
      pull(controller) {
        sent += chunk.length
        controller.enqueue(chunk)
      },
      cancel: () => void (isCancelled = true),
    })
    return new Response(body, { headers: { 'Content-Type': type } })
  })
  await expect(client.listPrompts()).rejects.toMatchObject({
    reason: 'invalid',
    message: expect.stringContaining('longer than 32 MiB'),
  })
  expect(sent).toBeLessThan(200 * 1024 * 1024)
  expect(isCancelled).toBe(true)
})

test('cancelling closes the stream, and the call ends with the reason', async () => {
  const reason = new Error('No longer needed.')
  const controller = new AbortController()
  let isClosed = false
  const { client } = createScripted(() => {
    queueMicrotask(() => controller.abort(reason))
    return toStream([': open\n'], () => void (isClosed = true))
  })
  await expect(client.readResource('a:b', { signal: controller.signal })).rejects.toBe(reason)
  await expect.poll(() => isClosed).toBe(true)
})

test('a call that is cancelled before its response ends at once', async () => {
  const signal = AbortSignal.abort(new Error('Stop.'))
  const { client, seen } = createScripted((one) => toResult(one, done))
  await expect(client.callTool('find', {}, { signal })).rejects.toThrow('Stop.')
  expect(seen.filter(({ body }) => body.method === 'tools/call')).toEqual([])
})

test('a response that does not come in time is not waited for', async () => {
  let isClosed = false
  const { client } = createScripted(() => toStream([], () => void (isClosed = true)), {
    timeout: 50,
  })
  await expect(client.listPrompts()).rejects.toMatchObject({
    reason: 'timeout',
    message: 'prompts/list had no result after 50 ms.',
  })
  await expect.poll(() => isClosed).toBe(true)
})
