import { describe, expect, test, vi } from 'vitest'
import { defineTool, type WorkerOptions } from 'helve'
import { jwt } from '../../../src/auth/jwt.ts'
import { optionalAuth } from '../../../src/auth/optional-auth.ts'
import { checkOrigins, isOriginAllowed, webClients } from '../../../src/serve/origin.ts'
import type { Reply } from '../../spec/server.ts'
import { endpoint, ping, send, toPost } from './served.ts'

const local = 'http://127.0.0.1:8787/mcp'
const named = 'http://localhost:8787/mcp'
const secure = 'https://shop.example.com/mcp'
const plain = 'http://shop.example.com/mcp'

test.each([
  ['a listed origin', 'https://claude.ai', secure],
  ['the server itself over https', 'https://shop.example.com', secure],
  ['the server itself on this machine', 'http://127.0.0.1:8787', local],
  ['a page on another port of this machine', 'http://localhost:6274', local],
  ['a page on another name of this machine', 'http://127.0.0.1:3000', named],
  ['a page on IPv6 loopback', 'http://[::1]:3000', 'http://[::1]:8787/mcp'],
  ['a page without a port on this machine', 'https://localhost', local],
])('%s may call', (_, origin, url) => {
  expect(isOriginAllowed(['https://claude.ai'], origin, url)).toBe(true)
})

test.each([
  ['a foreign page', 'https://evil.example.com', secure],
  [
    'a rebound name that vouches for itself',
    'http://evil.example.com',
    'http://evil.example.com/mcp',
  ],
  ['the same host over plain http', 'http://shop.example.com', plain],
  ['the same host under another scheme', 'http://shop.example.com', secure],
  ['the same host on another port', 'https://shop.example.com:8443', secure],
  ['a listed host under another scheme', 'http://claude.ai', secure],
  ['a host that ends like a listed one', 'https://notclaude.ai', secure],
  ['a host that begins like a listed one', 'https://claude.ai.evil.example.com', secure],
  ['a foreign page that calls this machine', 'https://evil.example.com', local],
  ['a host that begins like loopback', 'http://localhost.evil.example.com', local],
  ["a page on the visitor's machine that calls a public server", 'http://localhost:6274', secure],
  ['a sandboxed page', 'null', local],
  ['an empty Origin', '', local],
  ['what is not an origin at all', 'evil', local],
])('%s may not call', (_, origin, url) => {
  expect(isOriginAllowed(['https://claude.ai'], origin, url)).toBe(false)
})

test('every page may call when origins is *', () => {
  expect(isOriginAllowed('*', 'null', plain)).toBe(true)
})

test.each(['https://claude.ai/', 'claude.ai', 'https://Claude.ai', '*', 'null', 'https://*.ai/x'])(
  'refuses to start with "%s" among the origins, since it could never match',
  (entry) => {
    expect(() => checkOrigins([entry])).toThrow(`"${entry}" in \`origins\` is not an origin`)
  },
)

test('a server starts with every page or with well-written origins', () => {
  expect(() => checkOrigins('*')).not.toThrow()
  expect(() => checkOrigins([])).not.toThrow()
  expect(() => checkOrigins(['https://claude.ai', 'app://shop'])).not.toThrow()
})

test('the known web clients are origins', () => {
  expect(() => checkOrigins(webClients)).not.toThrow()
  expect(webClients.filter((origin) => !isOriginAllowed(webClients, origin, secure))).toEqual([])
  expect(isOriginAllowed(webClients, 'https://claude.ai', secure)).toBe(true)
})

function preflight(headers: Record<string, string>, url = endpoint): Promise<Reply> {
  const asked = { 'Access-Control-Request-Method': 'POST' }
  return send(new Request(url, { method: 'OPTIONS', headers: { ...asked, ...headers } }))
}

test('a preflight is answered with the origin and the headers that it names', async () => {
  const requested = 'content-type, mcp-method, Mcp-Param-Region, traceparent'
  const { status, headers, text } = await preflight({
    Origin: 'https://claude.ai',
    'Access-Control-Request-Headers': requested,
  })
  expect(status).toBe(204)
  expect(text).toBe('')
  expect(headers.get('Access-Control-Allow-Origin')).toBe('https://claude.ai')
  expect(headers.get('Access-Control-Allow-Methods')).toBe('POST, GET, DELETE')
  expect(headers.get('Access-Control-Allow-Headers')).toBe(requested)
  expect(headers.get('Access-Control-Max-Age')).toBe('7200')
  expect(headers.get('Access-Control-Allow-Credentials')).toBeNull()
  expect(headers.get('Vary')).toContain('Access-Control-Request-Headers')
})

test('a preflight allows only what is a header name', async () => {
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

test('OPTIONS that is not a preflight says what is allowed', async () => {
  const { status, headers } = await preflight({})
  expect(status).toBe(204)
  expect(headers.get('Allow')).toBe('GET, POST, DELETE, OPTIONS')
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
    'WWW-Authenticate, Retry-After, MCP-Protocol-Version, Mcp-Session-Id, Age, Cache-Status, ETag',
  )
})

test.each([
  ['a result', 200, ping, {}],
  ['an error', 400, '{', {}],
  ['a refused header', 415, ping, { 'Content-Type': 'text/plain' }],
])('%s for a client without an Origin has two headers', async (_, expected, body, more) => {
  const { status, headers } = await send(toPost(body, more))
  expect(status).toBe(expected)
  expect(Object.fromEntries(headers)).toEqual({
    'cache-control': 'no-store',
    'content-type': 'application/json',
  })
})

test('a foreign page learns which option lets it in, and nothing runs', async () => {
  const run = vi.fn<() => string>(() => 'ran')
  const request = toPost(ping, { Origin: 'https://evil.example.com' })
  const made = { echo: defineTool({ description: 'Runs.', run }) }
  const { status, headers, body } = await send(request, { made })
  expect(status).toBe(403)
  expect(run).not.toHaveBeenCalled()
  expect(headers.get('Access-Control-Allow-Origin')).toBeNull()
  expect(body).toEqual({
    jsonrpc: '2.0',
    error: {
      code: -32600,
      message: expect.stringMatching(/https:\/\/evil\.example\.com .*`origins`/),
    },
  })
})

describe('a host that a page may have had rebound to this server', () => {
  const auth = jwt({ issuer: 'https://auth.example' })
  const paths = [
    '/mcp',
    '/mcp/tools',
    '/mcp/server',
    '/mcp/none',
    '/',
    '/.well-known/oauth-protected-resource/mcp',
    '/.well-known/oauth-protected-resource',
  ]
  const ask = (url: string, method: string, options: Partial<WorkerOptions> = {}) =>
    send(new Request(url, { method }), { options: { auth: optionalAuth(auth), ...options } })

  test.each(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'])(
    'is refused everywhere: %s',
    async (method) => {
      for (const path of paths) {
        // oxlint-disable-next-line no-await-in-loop
        expect((await ask(`http://evil.example:8787${path}`, method)).status).toBe(403)
      }
    },
  )

  test('is named, with what to do', async () => {
    const { text } = await ask('http://evil.example:8787/mcp/tools', 'GET')
    expect(text).toContain('add http://evil.example:8787 to `origins` of createWorker.')
  })

  test('is refused for the metadata even if the page has another host', async () => {
    const url = 'http://evil.example:8787/.well-known/oauth-protected-resource/mcp'
    const headers = { Origin: 'http://www.evil.example:8787' }
    const { status } = await send(new Request(url, { headers }), { options: { auth } })
    expect(status).toBe(403)
  })

  test.each<[string, string, Partial<WorkerOptions>]>([
    ['https', 'https://shop.example/mcp/tools', {}],
    ['this machine', 'http://localhost:8787/mcp/tools', {}],
    ['this machine by its address', 'http://[::1]:8787/mcp/tools', {}],
    ['a listed host', 'http://192.0.2.1:8787/mcp/tools', { origins: ['http://192.0.2.1:8787'] }],
    ['every origin', 'http://192.0.2.1:8787/mcp/tools', { origins: '*' }],
    [
      'the host of `resource`, behind a proxy that ends TLS',
      'http://shop.example/mcp/tools',
      { resource: 'https://shop.example/mcp' },
    ],
  ])('is not %s', async (_, url, options) => {
    expect((await ask(url, 'GET', options)).status).toBe(200)
  })

  test('does not matter for a message, with which browsers send their origin', async () => {
    const headers = Object.fromEntries(toPost(ping).headers)
    const post = { method: 'POST', headers, body: ping }
    const url = 'http://evil.example:8787/mcp'
    expect((await send(new Request(url, post))).status).toBe(200)
    const rebound = { ...post, headers: { ...headers, Origin: 'http://evil.example:8787' } }
    expect((await send(new Request(url, rebound))).status).toBe(403)
  })
})
