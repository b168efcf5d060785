import { describe, expect, test } from 'vitest'
import { createServer, url } from './server.ts'
import { toModernBody, toModernHeaders } from '../support/modern-request.ts'

// https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
const { ask, send } = createServer({ origins: ['https://app.example'] })

/** A sound `tools/list` with these headers changed. */
const list = (headers: Record<string, string | null>) => ask('tools/list', {}, { headers })

describe('Security & Endpoint', () => {
  test.each([
    'https://evil.example',
    'null',
    'https://mcp.example.com.evil.example',
    'http://mcp.example.com',
  ])('a foreign Origin MUST get 403: %s', async (Origin) => {
    const { status, body, headers } = await list({ Origin })
    expect(status).toBe(403)
    expect(body).not.toHaveProperty('id')
    expect(headers.get('Access-Control-Allow-Origin')).toBeNull()
  })

  test.each(['https://app.example', 'https://mcp.example.com'])(
    'an allowed Origin gets a response with CORS headers: %s',
    async (Origin) => {
      const { status, headers } = await list({ Origin })
      expect(status).toBe(200)
      expect(headers.get('Access-Control-Allow-Origin')).toBe(Origin)
      expect(headers.get('Access-Control-Expose-Headers')).toContain('WWW-Authenticate')
    },
  )

  test('over http the Origin of a rebound host name is refused (DNS rebinding)', async () => {
    const request = new Request('http://evil.example:8787/mcp', {
      method: 'POST',
      headers: { ...toModernHeaders('tools/list'), Origin: 'http://evil.example:8787' },
      body: toModernBody('tools/list'),
    })
    expect((await send(request)).status).toBe(403)
  })

  test('a preflight allows the requested headers', async () => {
    const { status, headers } = await send(
      new Request(url, {
        method: 'OPTIONS',
        headers: {
          Origin: 'https://app.example',
          'Access-Control-Request-Method': 'POST',
          'Access-Control-Request-Headers': 'mcp-method,mcp-param-region,traceparent',
        },
      }),
    )
    expect(status).toBe(204)
    expect(headers.get('Access-Control-Allow-Headers')).toBe(
      'mcp-method, mcp-param-region, traceparent',
    )
  })
})

describe('Sending Messages', () => {
  test.each(['GET', 'DELETE', 'PUT', 'PATCH'])('%s gets 405 with Allow', async (method) => {
    const version = { 'MCP-Protocol-Version': '2026-07-28', Accept: 'text/event-stream' }
    const { status, headers } = await send(new Request(url, { method, headers: version }))
    expect([status, headers.get('Allow')]).toEqual([405, 'POST, OPTIONS'])
  })

  test.each([
    null,
    '*/*',
    'application/json',
    'application/json, text/event-stream',
    'text/html, */*;q=0.1',
  ])('the response is JSON for Accept: %j', async (Accept) => {
    const { status, headers } = await list({ Accept })
    expect([status, headers.get('Content-Type')]).toEqual([200, 'application/json'])
  })

  test('the response is a stream if the client accepts nothing else', async () => {
    const { headers, text } = await list({ Accept: 'text/event-stream' })
    expect(headers.get('Content-Type')).toBe('text/event-stream')
    expect(headers.get('X-Accel-Buffering')).toBe('no')
    expect(text.match(/^data: /gm)).toHaveLength(1)
  })

  test('another path gets 404', async () => {
    const request = new Request('https://mcp.example.com/other', { method: 'POST' })
    expect((await send(request)).status).toBe(404)
  })
})

describe('Request Metadata', () => {
  test.each<[string, Record<string, string | null>]>([
    ['MCP-Protocol-Version missing', { 'MCP-Protocol-Version': null }],
    ['MCP-Protocol-Version of another revision', { 'MCP-Protocol-Version': '2025-11-25' }],
    ['Mcp-Method missing', { 'Mcp-Method': null }],
    ['Mcp-Method of another method', { 'Mcp-Method': 'prompts/list' }],
    ['Mcp-Method in capitals', { 'Mcp-Method': 'TOOLS/LIST' }],
  ])('MUST be refused with 400 and -32020: %s', async (_, headers) => {
    const { status, body } = await list(headers)
    expect([status, body.error.code, body.id]).toEqual([400, -32020, 1])
  })

  test.each<[string, string | null]>([
    ['missing', null],
    ['of another tool', 'hello'],
    ['in capitals', 'PING'],
    ['in bad Base64', '=?base64?cGluZw?='],
  ])('MUST be refused with 400 and -32020: Mcp-Name %s', async (_, name) => {
    const { status, body } = await ask(
      'tools/call',
      { name: 'ping' },
      { headers: { 'Mcp-Name': name } },
    )
    expect([status, body.error.code]).toEqual([400, -32020])
  })

  test('a missing Mcp-Name is refused even if the body has no name', async () => {
    const { status, body } = await ask('tools/call', {}, {})
    expect([status, body.error.code]).toEqual([400, -32020])
  })

  test.each(['  ping  ', '=?base64?cGluZw==?='])(
    'a header may have spaces or be Base64: %s',
    async (name) => {
      const { body } = await ask('tools/call', { name: 'ping' }, { headers: { 'Mcp-Name': name } })
      expect(body.result.content[0].text).toBe('pong')
    },
  )

  test('an unknown method gets 404 and -32601', async () => {
    const { status, body } = await ask('no/such', {}, { id: 9 })
    expect([status, body.error.code, body.id]).toEqual([404, -32601, 9])
  })
})

describe('Earlier revisions', () => {
  test.each(['Mcp-Session-Id', 'Last-Event-ID'])('%s is ignored', async (name) => {
    const { status, headers } = await list({ [name]: 'anything' })
    expect(status).toBe(200)
    expect(headers.get('Mcp-Session-Id')).toBeNull()
  })
})

test('the body is UTF-8: characters may be split across chunks', async () => {
  const params = { name: 'hello', arguments: { who: 'Grüße 😀 世界' } }
  const bytes = new TextEncoder().encode(toModernBody('tools/call', params))
  const chunks = Array.from({ length: Math.ceil(bytes.length / 3) }, (_, index) =>
    bytes.slice(index * 3, index * 3 + 3),
  )
  const body = new ReadableStream({
    pull(controller) {
      const chunk = chunks.shift()
      if (chunk === undefined) controller.close()
      else controller.enqueue(chunk)
    },
  })
  const headers = toModernHeaders('tools/call', params)
  const request = new Request(url, { method: 'POST', headers, body })
  expect((await send(request)).body.result.content[0].text).toBe('Hello, Grüße 😀 世界')
})
