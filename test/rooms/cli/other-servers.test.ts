import { createServer, type RequestListener } from 'node:http'
import { once } from 'node:events'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { expect, onTestFinished, test } from 'vitest'
import { findFreePort, listen } from '../../support/free-port.ts'
import { runHelve } from '../../support/run-helve.ts'

/** Serves on a free port until the test is finished, and returns the endpoint. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  const port = await listen(server)
  onTestFinished(async () => {
    server.closeAllConnections()
    await once(server.close(), 'close')
  })
  return `http://127.0.0.1:${port}/mcp`
}

/** Answers `server/discover` and `tools/list`, and a call with what a test says. */
function serveTool(result: object, tool: object = {}): Promise<string> {
  return serve(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const { id, method } = JSON.parse(Buffer.concat(chunks).toString())
    const results: Record<string, object> = {
      'server/discover': {
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {} },
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'a\u001B[2Jb', version: '1' } },
      },
      'tools/list': { tools: [{ name: 'show', inputSchema: { type: 'object' }, ...tool }] },
      'tools/call': result,
    }
    response.setHeader('Content-Type', 'application/json')
    const complete = { resultType: 'complete', ...results[method] }
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: complete }))
  })
}

test('a server that does not run is told how to start', async () => {
  const url = `http://127.0.0.1:${await findFreePort()}/mcp`
  const { code, stderr } = await runHelve(['list', url])
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /^helve: There is no response from http:\/\/127\.0\.0\.1:\d+ \(.*ECONNREFUSED/,
  )
  expect(stderr).toContain(
    'Start the Worker with `helve dev`, or pass the URL of a server that runs.',
  )
})

test.each([
  ['not a page', 404, {}, 'Nothing.', 'There is no MCP endpoint at http://127.0.0.1:'],
  ['a page', 200, { 'Content-Type': 'text/html' }, '<html>', 'is not an MCP server'],
  [
    'a method that it does not know',
    200,
    { 'Content-Type': 'application/json' },
    '{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"}}',
    'speaks a revision of MCP before 2026-07-28, and this command only 2026-07-28.',
  ],
  [
    'other revisions',
    400,
    { 'Content-Type': 'application/json' },
    '{"jsonrpc":"2.0","error":{"code":-32022,"message":"No.","data":{"supported":["2027-01-01"]}}}',
    'speaks 2027-01-01, and this command only 2026-07-28.',
  ],
  ['too many requests', 429, { 'Retry-After': '7' }, '', 'Try again in 7 seconds.'],
  [
    'a crash',
    500,
    { 'Content-Type': 'text/plain' },
    'Oh \u001B[31mno',
    'status 500: Oh <U+001B>[31mno',
  ],
  [
    'a wish for a token',
    401,
    {
      'WWW-Authenticate':
        'Bearer error="invalid_token", error_description="No token.", scope="shop:read", ' +
        'resource_metadata="https://example.com/.well-known/oauth-protected-resource/mcp"',
    },
    '',
    'wants a token (401): No token. The token needs the scopes: shop:read. Who issues tokens is said at ' +
      'https://example.com/.well-known/oauth-protected-resource/mcp . Pass a token with --token, or in the ' +
      'variable HELVE_TOKEN.',
  ],
  [
    'a wish for more scopes',
    403,
    { 'WWW-Authenticate': 'Bearer error="insufficient_scope", scope="shop:write"' },
    '',
    'does not allow this (403): insufficient_scope. The token needs also the scopes: shop:write.',
  ],
] as const)('%s is said with what to do next', async (_, status, headers, body, sentence) => {
  const url = await serve((_request, response) => response.writeHead(status, headers).end(body))
  const { code, stderr } = await runHelve(['list', url])
  expect(code).toBe(1)
  expect(stderr).toContain(sentence)
})

test('a token goes to the server, by option or variable, and to no other host by a redirect', async () => {
  const tokens: unknown[] = []
  const thief = await serve((request, response) => {
    tokens.push('stolen', request.headers.authorization)
    response.end()
  })
  const url = await serve((request, response) => {
    tokens.push(request.headers.authorization, request.headers['x-team'])
    response.writeHead(307, { Location: thief }).end()
  })
  const options = ['list', url, '-H', 'X-Team: shop']
  const { code, stderr } = await runHelve([...options, '--token', 'one'], {
    env: { HELVE_TOKEN: 'two' },
  })
  await runHelve(options, { env: { HELVE_TOKEN: 'two' } })
  expect(code).toBe(1)
  expect(stderr).toContain(`The server redirects to ${thief}.`)
  expect(tokens).toEqual(['Bearer one', 'shop', 'Bearer two', 'shop'])
})

test('a token that goes over the network in the clear is said', async () => {
  // the address is for documentation, and nothing listens there; the name does not exist
  const args = ['list', 'http://mcp.invalid/mcp', '--token', 'secret']
  const { code, stderr } = await runHelve(args)
  expect(code).toBe(1)
  expect(stderr).toContain('The token goes to mcp.invalid without encryption.')
  expect(stderr).not.toContain('secret')
})

test('a server of an earlier revision, made with the official SDK, is named as one', async () => {
  const url = await serve(async (request, response) => {
    const server = new Server({ name: 'old', version: '1.0.0' }, { capabilities: { tools: {} } })
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
    })
    await server.connect(transport)
    await transport.handleRequest(request, response)
  })
  const { code, stderr } = await runHelve(['list', url])
  expect(code).toBe(1)
  expect(stderr).toContain('speaks a revision of MCP before 2026-07-28, and this command only')
})

test('a server of an earlier revision that wants no session is named as one too', async () => {
  const url = await serve(async (request, response) => {
    const server = new Server({ name: 'old', version: '1.0.0' }, { capabilities: { tools: {} } })
    const transport = new StreamableHTTPServerTransport({})
    await server.connect(transport)
    await transport.handleRequest(request, response)
  })
  expect((await runHelve(['list', url])).stderr).toContain(
    'speaks a revision of MCP before 2026-07-28',
  )
})

test('control and hidden characters of a server do not reach the terminal', async () => {
  const evil = '\u001B]0;pwned\u0007\u009B31mred\u202Eabc\r\b'
  const url = await serveTool(
    {
      content: [
        { type: 'text', text: `one ${evil}\ntwo` },
        { type: 'resource_link', uri: `a:${evil}`, name: evil, description: evil },
        { type: 'resource', resource: { uri: `b:${evil}`, text: evil, mimeType: evil } },
        { type: 'audio', data: 'AAAA', mimeType: `audio/${evil}` },
      ],
      structuredContent: { [evil]: evil, list: [{ [evil]: evil }] },
      isError: true,
    },
    {
      description: evil,
      inputSchema: { type: 'object', properties: { [evil]: { description: evil, enum: [evil] } } },
    },
  )
  for (const command of [['list'], ['call', 'show']]) {
    // oxlint-disable-next-line no-await-in-loop -- a machine with two cores
    const { stdout, stderr } = await runHelve([...command, url])
    expect(stdout).toContain('<U+001B>')
    // oxlint-disable-next-line no-control-regex -- they are what must not be there
    expect(`${stdout}${stderr}`).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f\u202e]/)
    // oxlint-disable-next-line no-await-in-loop -- as above
    const json = await runHelve([...command, url, '--json'])
    // oxlint-disable-next-line no-control-regex -- as above
    expect(json.stdout).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f\u202e]/)
    expect(JSON.stringify(JSON.parse(json.stdout))).toContain('\u009B31mred\u202E')
  }
})

test('a tool with a wrong definition is left out with a warning', async () => {
  const property = { type: 'number', 'x-mcp-header': 'Size' }
  const inputSchema = { type: 'object', properties: { size: property } }
  const url = await serveTool({ content: [] }, { inputSchema })
  const { code, stderr } = await runHelve(['call', 'show', url])
  expect(code).toBe(1)
  expect(stderr).toContain(
    'helve: The tool `show` is left out: an `x-mcp-header` of its input schema',
  )
})

test('a structured value is printed as rows and tables', async () => {
  const url = await serveTool({
    content: [],
    structuredContent: {
      total: 3,
      tags: ['a', 'b'],
      items: [
        { name: 'tea', price: 4.5 },
        { name: 'coffee', price: 11 },
      ],
      ship: { to: 'Ada', notes: 'ring\ntwice' },
      none: [],
    },
  })
  expect((await runHelve(['call', 'show', url])).stdout).toBe(`total  3
tags   a, b
items
  name    price
  tea     4.5
  coffee  11
ship
  to     Ada
  notes
    ring
    twice
none   (none)
`)
})
