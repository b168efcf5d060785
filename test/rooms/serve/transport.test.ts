import { expect, test, vi } from 'vitest'
import type { Handle } from '../../../src/serve/answer-message.ts'
import { endpoint, ping, send, toPost } from './served.ts'

test('a request reaches its handler and the result comes back under its id', async () => {
  const body = '{"jsonrpc":"2.0","id":"a","method":"tools/list","params":{"cursor":"😀"}}'
  const response = await send(toPost(body))
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({
    id: 'a',
    result: { method: 'tools/list', params: { cursor: '😀' } },
  })
})

test('the handler is given the headers, the env and a signal', async () => {
  const handle = vi.fn<Handle>(() => ({ kind: 'result', members: '' }))
  await send(toPost(ping, { 'Mcp-Method': 'ping' }), { handle })
  expect(handle).toHaveBeenCalledExactlyOnceWith(
    { kind: 'request', id: 1, method: 'ping', params: {} },
    expect.objectContaining({
      headers: expect.any(Headers),
      env: expect.any(Object),
      signal: expect.any(AbortSignal),
      emit: expect.any(Function),
    }),
  )
})

test('a notification is accepted with an empty body and reaches no handler', async () => {
  const handle = vi.fn<Handle>()
  const response = await send(toPost('{"jsonrpc":"2.0","method":"tools/call"}'), { handle })
  expect(response.status).toBe(202)
  expect(await response.text()).toBe('')
  expect(response.headers.get('Content-Type')).toBeNull()
  expect(handle).not.toHaveBeenCalled()
})

test.each(['/mcp/', '/mcp?x=1'])('the endpoint is served at %s too', async (path) => {
  const request = new Request(new URL(path, endpoint), toPost(ping))
  expect((await send(request)).status).toBe(200)
})

test.each(['GET', 'DELETE', 'PUT', 'HEAD', 'PATCH'])(
  '%s is not allowed at the endpoint, and the reply says what is',
  async (method) => {
    const response = await send(new Request(endpoint, { method }))
    expect(response.status).toBe(405)
    expect(response.headers.get('Allow')).toBe('POST, OPTIONS')
  },
)

test.each(['/', '/mpc', '/mcp/tools', '/x/mcp', '//mcp'])(
  'nothing is found at %s, and the reply names the endpoint',
  async (path) => {
    const response = await send(new Request(`http://127.0.0.1:8787${path}`, toPost(ping)))
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({
      jsonrpc: '2.0',
      error: { code: -32600, message: expect.stringMatching(/The MCP endpoint is \/mcp\.$/) },
    })
  },
)

const bad = '{"jsonrpc":"2.0","id":"x","method":""}'

test.each([
  ['another content type', 415, -32600, toPost(ping, { 'Content-Type': 'text/plain' })],
  ['an Accept of neither type', 406, -32600, toPost(ping, { Accept: 'text/html' })],
  ['2 MiB', 413, -32600, toPost('a'.repeat(2 * 1024 * 1024))],
  ['bytes that are not UTF-8', 400, -32700, toPost(Uint8Array.of(0x22, 0xff, 0x22))],
  ['no JSON', 400, -32700, toPost('hello')],
  ['truncated JSON', 400, -32700, toPost(ping.slice(0, -1))],
  ['nothing', 400, -32700, toPost('')],
  ['a key twice', 400, -32600, toPost(ping.replace('{', '{"id":2,'))],
  ['a batch', 400, -32600, toPost(`[${ping}]`)],
  ['null for an id', 400, -32600, toPost(ping.replace('1', 'null'))],
])('%s is answered with %i and %i, without an id', async (_, status, code, request) => {
  const response = await send(request)
  expect(response.status).toBe(status)
  expect(response.headers.get('Cache-Control')).toBe('no-store')
  expect(response.headers.get('MCP-Protocol-Version')).toBe('2026-07-28')
  expect(await response.json()).toEqual({
    jsonrpc: '2.0',
    error: { code, message: expect.any(String) },
  })
})

test('a bad message is refused under its id', async () => {
  const response = await send(toPost(bad))
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ id: 'x', error: { code: -32600 } })
})

test('a request without a content type is told so', async () => {
  const request = new Request(endpoint, { method: 'POST', body: new TextEncoder().encode(ping) })
  const response = await send(request)
  expect(response.status).toBe(415)
  expect(await response.text()).toContain('Content-Type is missing.')
})

test('a request with no Accept, or an empty one, is answered with JSON', async () => {
  const headers = { 'Content-Type': 'application/json' }
  const bare = new Request(endpoint, { method: 'POST', headers, body: ping })
  const responses = await Promise.all([send(bare), send(toPost(ping, { Accept: '' }))])
  expect(responses.map(({ headers }) => headers.get('Content-Type'))).toEqual([
    'application/json',
    'application/json',
  ])
})

test('an exception reaches the log in full and the client as an id alone', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const error = new Error('no route to db.internal', { cause: new Error('password hunter2') })
  const handle = (): never => {
    throw error
  }
  const response = await send(toPost(ping), { handle })
  const text = await response.text()
  const [line] = log.mock.lastCall ?? []
  log.mockRestore()

  expect(JSON.parse(text)).toMatchObject({ id: 1, error: { code: -32603 } })
  expect(text).not.toMatch(/db\.internal|hunter2/)
  const logged = JSON.parse(String(line))
  expect(logged).toMatchObject({ level: 'error', what: 'ping' })
  expect(logged.detail).toMatch(/db\.internal[^]*Caused by: [^]*hunter2/)
  expect(text).toContain(logged.errorId)
})
