import { expect, test, vi } from 'vitest'
import type { Handle } from '../../../src/serve/answer-message.ts'
import { endpoint, ping, send, toPost } from './served.ts'

function preflight(headers: Record<string, string>, url = endpoint): Promise<Response> {
  const asked = { 'Access-Control-Request-Method': 'POST' }
  return send(new Request(url, { method: 'OPTIONS', headers: { ...asked, ...headers } }))
}

test('a preflight is answered with the origin and the headers that it names', async () => {
  const requested = 'content-type, mcp-method, Mcp-Param-Region, traceparent'
  const { status, headers, body } = await preflight({
    Origin: 'https://claude.ai',
    'Access-Control-Request-Headers': requested,
  })
  expect(status).toBe(204)
  expect(body).toBeNull()
  expect(headers.get('Access-Control-Allow-Origin')).toBe('https://claude.ai')
  expect(headers.get('Access-Control-Allow-Methods')).toBe('POST, GET')
  expect(headers.get('Access-Control-Allow-Headers')).toBe(requested)
  expect(headers.get('Access-Control-Max-Age')).toBe('7200')
  expect(headers.get('Access-Control-Allow-Credentials')).toBeNull()
  expect(headers.get('Vary')).toContain('Access-Control-Request-Headers')
})

test('a preflight gets back nothing that is not a header name', async () => {
  const { headers } = await preflight({
    Origin: 'https://claude.ai',
    'Access-Control-Request-Headers': 'mcp-name, <script>, a b,, x:y, mcp-method',
  })
  expect(headers.get('Access-Control-Allow-Headers')).toBe('mcp-name, mcp-method')
})

test('a preflight is answered at a mistyped path, so that the page can read the 404', async () => {
  const { status } = await preflight({ Origin: 'https://claude.ai' }, 'http://127.0.0.1:8787/mpc')
  expect(status).toBe(204)
})

test("a foreign origin's preflight is refused without CORS headers", async () => {
  const { status, headers } = await preflight({ Origin: 'https://evil.example.com' })
  expect(status).toBe(403)
  expect(headers.get('Access-Control-Allow-Origin')).toBeNull()
})

test('OPTIONS that is no preflight says what is allowed', async () => {
  const { status, headers } = await preflight({})
  expect(status).toBe(204)
  expect(headers.get('Allow')).toBe('POST, OPTIONS')
  expect(headers.get('Access-Control-Allow-Methods')).toBeNull()
})

const notification = '{"jsonrpc":"2.0","method":"notifications/x"}'

test.each([
  ['a result', 200, ping, {}],
  ['an accepted notification', 202, notification, {}],
  ['an error', 400, '{', {}],
  ['a stream', 200, ping, { Accept: 'text/event-stream' }],
  ['a refused header', 415, ping, { 'Content-Type': 'text/plain' }],
])('%s is readable by the page that called', async (_, expected, body, more) => {
  const { status, headers } = await send(toPost(body, { Origin: 'https://claude.ai', ...more }))
  expect(status).toBe(expected)
  expect(headers.get('Access-Control-Allow-Origin')).toBe('https://claude.ai')
  expect(headers.get('Vary')).toBe('Origin')
  expect(headers.get('Access-Control-Expose-Headers')).toBe(
    'WWW-Authenticate, Retry-After, MCP-Protocol-Version, Age, Cache-Status, ETag',
  )
})

test('a reply to a client that is no browser has no CORS headers but varies by origin', async () => {
  const { headers } = await send(toPost(ping))
  expect(headers.get('Access-Control-Allow-Origin')).toBeNull()
  expect(headers.get('Access-Control-Expose-Headers')).toBeNull()
  expect(headers.get('Vary')).toBe('Origin')
})

test('a foreign page is told which setting lets it in, and nothing runs', async () => {
  const handle = vi.fn<Handle>()
  const request = toPost(ping, { Origin: 'https://evil.example.com' })
  const response = await send(request, { handle })
  expect(response.status).toBe(403)
  expect(handle).not.toHaveBeenCalled()
  expect(response.headers.get('Access-Control-Allow-Origin')).toBeNull()
  expect(await response.json()).toEqual({
    jsonrpc: '2.0',
    error: {
      code: -32600,
      message: expect.stringMatching(/https:\/\/evil\.example\.com .*`origins`/),
    },
  })
})
