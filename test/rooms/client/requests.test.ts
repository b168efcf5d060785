import { expect, test } from 'vitest'
import { createScripted, toError, toResult } from './scripted-server.ts'

const done = { content: [{ type: 'text', text: 'done' }] }

function toTool(properties: object, name = 'find'): object {
  return { name, inputSchema: { type: 'object', properties } }
}

const region = { type: 'string', 'x-mcp-header': 'Region' }

test('a request has the headers and the metadata that the specification asks for', async () => {
  const { client, seen } = createScripted((one) => toResult(one, { contents: [] }), {
    token: async () => 'secret',
    headers: { 'X-Team': 'shop', Accept: 'text/html' },
    info: { name: 'me', version: '2.0.0' },
  })
  await client.readResource('shop://tea')
  expect(Object.fromEntries(seen[0]?.headers ?? [])).toEqual({
    accept: 'application/json, text/event-stream',
    authorization: 'Bearer secret',
    'content-type': 'application/json',
    'mcp-method': 'resources/read',
    'mcp-name': 'shop://tea',
    'mcp-protocol-version': '2026-07-28',
    'x-team': 'shop',
  })
  expect(seen[0]?.body).toEqual({
    jsonrpc: '2.0',
    id: 1,
    method: 'resources/read',
    params: {
      uri: 'shop://tea',
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'me', version: '2.0.0' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  })
})

test('only the methods with a name have Mcp-Name, and ids are never used again', async () => {
  const { client, seen } = createScripted((one) =>
    toResult(one, { prompts: [], messages: [], completion: { values: ['a'] } }),
  )
  await client.listPrompts()
  await client.getPrompt('plan')
  expect(await client.complete({ prompt: 'plan' }, { name: 'dish', value: 'r' })).toEqual({
    values: ['a'],
  })
  expect(seen.map(({ headers }) => headers.get('Mcp-Name'))).toEqual([null, 'plan', null])
  expect(seen.map(({ body }) => body.id)).toEqual([1, 2, 3])
})

test.each([
  ['us-west1', 'us-west1'],
  ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
  [' padded ', '=?base64?IHBhZGRlZCA=?='],
  ['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
  ['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
  ['', '=?base64??='],
  ['a\tb', 'a\tb'],
])('the argument %j is repeated as %j', async (value, header) => {
  const { client, seen } = createScripted((one, count) =>
    toResult(one, count === 1 ? { tools: [toTool({ region })] } : done),
  )
  await client.callTool('find', { region: value })
  expect(seen[1]?.headers.get('Mcp-Param-Region')).toBe(header)
})

test.each([
  [42, '42'],
  [-7, '-7'],
  [true, 'true'],
  [new Date(0), '1970-01-01T00:00:00.000Z'],
  [null, null],
  [undefined, null],
  [[1], null],
  [2 ** 60, null],
])('the value %s is repeated as %j', async (value, header) => {
  const { client, seen } = createScripted((one, count) =>
    toResult(one, count === 1 ? { tools: [toTool({ region })] } : done),
  )
  await client.callTool('find', { region: value })
  expect(seen[1]?.headers.get('Mcp-Param-Region')).toBe(header)
})

test('arguments in objects are repeated, and the list is read once for all calls', async () => {
  const within = { type: 'object', properties: { region } }
  const { client, seen } = createScripted((one) =>
    toResult(one, one.body.method === 'tools/list' ? { tools: [toTool({ place: within })] } : done),
  )
  await Promise.all([
    client.callTool('find', { place: { region: 'eu' } }),
    client.callTool('find', { place: {} }),
    client.callTool('other'),
  ])
  const called = seen.filter(({ body }) => body.method === 'tools/call')
  expect(seen).toHaveLength(4)
  expect(called.map(({ headers }) => headers.get('Mcp-Param-Region'))).toEqual(['eu', null, null])
})

test('a call whose headers are refused is sent again with those of the current tool', async () => {
  const { client, seen } = createScripted((one, count) => {
    if (count === 1) return toResult(one, { tools: [toTool({})] })
    if (count === 2) return toError(one, { code: -32020, message: 'Missing.' }, { status: 400 })
    return toResult(one, count === 3 ? { tools: [toTool({ region })] } : done)
  })
  expect(await client.callTool('find', { region: 'eu' })).toMatchObject(done)
  expect(seen.map(({ body }) => body.method)).toEqual([
    'tools/list',
    'tools/call',
    'tools/list',
    'tools/call',
  ])
  expect(seen[3]?.headers.get('Mcp-Param-Region')).toBe('eu')
})

test('a call whose headers are refused again ends with that error', async () => {
  const { client, seen } = createScripted((one) =>
    one.body.method === 'tools/list'
      ? toResult(one, { tools: [] })
      : toError(one, { code: -32020, message: 'Missing.' }, { status: 400 }),
  )
  await expect(client.callTool('find')).rejects.toMatchObject({ code: -32020, status: 400 })
  expect(seen).toHaveLength(4)
})

test.each([
  ['on a number', { a: { type: 'number', 'x-mcp-header': 'A' } }],
  ['without a type', { a: { 'x-mcp-header': 'A' } }],
  ['that is empty', { a: { type: 'string', 'x-mcp-header': '' } }],
  ['with a line break', { a: { type: 'string', 'x-mcp-header': 'A\r\nB' } }],
  ['that is there twice', { a: region, b: { ...region, 'x-mcp-header': 'REGION' } }],
  ['within a list', { a: { type: 'array', items: region } }],
  ['on a property with a pattern', { a: { type: 'object', patternProperties: { '^b': region } } }],
  ['within a choice', { a: { anyOf: [region] } }],
  ['on a property in a choice', { a: { not: { properties: { b: region } } } }],
])('a tool with an annotation %s is not listed, with a warning', async (_, properties) => {
  const warnings: string[] = []
  const { client } = createScripted(
    (one) => toResult(one, { tools: [toTool(properties), toTool({ region }, 'good')] }),
    { onWarning: (sentence) => warnings.push(sentence) },
  )
  expect((await client.listTools()).map(({ name }) => name)).toEqual(['good'])
  expect(warnings).toEqual([expect.stringMatching(/^The tool `find` is left out: /)])
})

test('what only looks like an annotation does not hide a tool', async () => {
  const properties = {
    'x-mcp-header': { type: 'number' },
    a: { const: { 'x-mcp-header': '' }, default: { 'x-mcp-header': 1 } },
  }
  const { client } = createScripted((one) => toResult(one, { tools: [toTool(properties)] }))
  expect(await client.listTools()).toHaveLength(1)
})

test.each([
  ['ftp://example.com', 'is not an http: or https: URL'],
  ['/mcp', 'is not an http: or https: URL'],
  ['https://me:pass@example.com/mcp', 'has a user name or a password'],
])('the URL %s is refused', (url, sentence) => {
  expect(() => createScripted((one) => toResult(one, {}), { url })).toThrow(sentence)
})

test.each(['', 'a b', 'secret\n'])('the token %j is refused without being shown', async (token) => {
  const { client, seen } = createScripted((one) => toResult(one, { tools: [] }), { token })
  await expect(client.listTools()).rejects.toMatchObject({
    reason: 'unsendable',
    message: expect.not.stringContaining('secret'),
  })
  expect(seen).toEqual([])
})

test('a header that cannot be sent is refused without its value', () => {
  const headers = { 'X-Key': 'secret\nvalue' }
  expect(() => createScripted((one) => toResult(one, {}), { headers })).toThrow(
    '"X-Key" is not a header, or its value has other characters.',
  )
})

test('arguments that are no object are refused', async () => {
  const { client } = createScripted((one) => toResult(one, { tools: [] }))
  await expect(client.callTool('find', ['a'])).rejects.toMatchObject({ reason: 'unsendable' })
})
