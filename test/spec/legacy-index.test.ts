import { describe, expect, test } from 'vitest'
import { definePrompt, defineTool } from 'helve'
import { legacyVersions, toLegacyBody, toLegacyNotification } from '../support/legacy-request.ts'
import { createServer } from './server.ts'

const { askLegacy, initialize, postLegacy } = createServer()
const message = (changes: object): string =>
  JSON.stringify({ ...JSON.parse(toLegacyBody('tools/list')), ...changes })

// https://modelcontextprotocol.io/specification/2025-11-25/basic
describe('basic, "Messages"', () => {
  test.each([1, 0, -7, 2 ** 53 - 1, 'abc', '', '1', 'ü😀'])(
    'a response MUST have the id of its request: %j',
    async (id) => {
      const { body } = await askLegacy('tools/list', {}, { id })
      expect([body.id, body.jsonrpc]).toEqual([id, '2.0'])
    },
  )

  test.each([null, 1.5, 2 ** 53, true, [], {}])(
    'an id MUST be a string or an integer: %j',
    async (id) => {
      const { status, body } = await postLegacy(message({ id }))
      expect([status, body.error.code]).toEqual([400, -32600])
      expect(body).not.toHaveProperty('id')
    },
  )

  test.each([
    ['another version of JSON-RPC', message({ jsonrpc: '1.0' })],
    ['no method', message({ method: undefined })],
    ['parameters by position', message({ params: [] })],
    ['a string', '"tools/list"'],
    ['null', 'null'],
  ])('a message that is not JSON-RPC gets 400 and -32600: %s', async (_, text) => {
    const { status, body } = await postLegacy(text)
    expect([status, body.error.code]).toEqual([400, -32600])
  })

  test('a body that is not JSON gets 400 and -32700', async () => {
    const { status, body } = await postLegacy('{"jsonrpc":')
    expect([status, body.error.code]).toEqual([400, -32700])
    expect(body).not.toHaveProperty('id')
  })

  test('params may be absent', async () => {
    expect((await askLegacy('tools/list')).body.result.tools).toHaveLength(5)
  })

  test.each(['notifications/initialized', 'notifications/roots/list_changed', 'no/such', 'ping'])(
    'a notification MUST NOT be answered: %s',
    async (method) => {
      const { status, text } = await postLegacy(toLegacyNotification(method))
      expect([status, text]).toEqual([202, ''])
    },
  )
})

describe('basic, "Responses"', () => {
  const cached = createServer(
    {},
    {
      hello: defineTool({
        description: 'Says hello.',
        cache: '1m',
        hints: { readOnly: true },
        run: () => 'hello',
      }),
      plan: definePrompt({ description: 'Plans.', messages: () => 'Plan it.' }),
    },
  )

  test.each<[string, object?]>([
    ['tools/list'],
    ['tools/call', { name: 'hello' }],
    ['prompts/list'],
    ['prompts/get', { name: 'plan' }],
  ])('a result has no member that 2026-07-28 added: %s %j', async (method, params) => {
    for (const version of legacyVersions) {
      // oxlint-disable-next-line no-await-in-loop
      const { headers, body } = await cached.askLegacy(method, params, { version })
      expect(body.result).not.toHaveProperty('resultType')
      expect(body.result).not.toHaveProperty('ttlMs')
      expect(body.result).not.toHaveProperty('cacheScope')
      expect(body.result).not.toHaveProperty('_meta')
      expect(headers.get('Cache-Control')).toBe('no-store')
    }
  })

  // clients of these revisions read the body of a response only if its status is 200
  test.each<[string, string, object, number]>([
    ['an unknown method', 'tools/destroy', {}, -32601],
    ['an unknown tool', 'tools/call', { name: 'nope' }, -32602],
    ['arguments that are not an object', 'tools/call', { name: 'ping', arguments: [] }, -32602],
    ['a bad cursor', 'tools/list', { cursor: 'nope' }, -32602],
    ['a bad progress token', 'tools/call', { name: 'ping', _meta: { progressToken: {} } }, -32602],
  ])('an error of a method has status 200: %s', async (_, method, params, code) => {
    const { status, body } = await askLegacy(method, params, { id: 'e' })
    expect([status, body.id, body.error.code]).toEqual([200, 'e', code])
    expect(body.error).not.toHaveProperty('data.supported')
  })
})

// https://modelcontextprotocol.io/specification/2025-03-26/basic
describe('basic of 2025-03-26, "Batching"', () => {
  const version = '2025-03-26'
  const batch = (...parts: readonly string[]) => postLegacy(`[${parts.join(',')}]`, { version })
  const list = (id: string | number) => toLegacyBody('tools/list', {}, id)
  const call = (id: string | number, name: string) => toLegacyBody('tools/call', { name }, id)
  const note = toLegacyNotification('notifications/initialized')

  test('a batch MUST be supported: each request is answered, in one array', async () => {
    const { status, headers, text } = await batch(list(1), note, call('b', 'ping'), call(3, 'fail'))
    expect([status, headers.get('Content-Type')]).toEqual([200, 'application/json'])
    expect(JSON.parse(text)).toMatchObject([
      { id: 1, result: { tools: [{}, {}, {}, {}, {}] } },
      { id: 'b', result: { content: [{ text: 'pong' }] } },
      { id: 3, result: { isError: true } },
    ])
  })

  test('an error of one message is its own', async () => {
    const { status, text } = await batch(toLegacyBody('no/such', {}, 1), '7', list(2))
    expect(status).toBe(200)
    expect(JSON.parse(text)).toMatchObject([
      { id: 1, error: { code: -32601 } },
      { error: { code: -32600 } },
      { id: 2, result: {} },
    ])
  })

  test('a batch of one request is answered as an array', async () => {
    expect(JSON.parse((await batch(list(1))).text)).toMatchObject([{ id: 1 }])
  })

  test('a batch without requests MUST get 202 without a body', async () => {
    const { status, text } = await batch(note, note)
    expect([status, text]).toEqual([202, ''])
  })

  test('a batch without a version header is one of 2025-03-26', async () => {
    const headers = { 'MCP-Protocol-Version': null }
    const { status, text } = await postLegacy(`[${list(1)}]`, { headers })
    expect([status, JSON.parse(text)]).toMatchObject([200, [{ id: 1 }]])
  })

  test.each([
    ['an empty batch', '[]'],
    // https://modelcontextprotocol.io/specification/2025-03-26/basic/lifecycle
    ['a batch with initialize, which MUST NOT be in one', `[${toLegacyBody('initialize')}]`],
    ['a batch of too many messages', `[${Array(101).fill(note).join(',')}]`],
  ])('%s gets 400', async (_, text) => {
    const { status, body } = await postLegacy(text, { version })
    expect([status, body.error.code]).toEqual([400, -32600])
  })

  test.each(legacyVersions.filter((other) => other !== version))(
    'no other revision has batches: %s',
    async (other) => {
      const { status, body } = await postLegacy(`[${list(1)}]`, { version: other })
      expect([status, body.error.code]).toEqual([400, -32600])
      expect(body.error.message).toContain(version)
    },
  )

  test('the session decides if there is no version header', async () => {
    const session = await initialize('2025-11-25')
    const headers = { 'MCP-Protocol-Version': null }
    expect((await postLegacy(`[${list(1)}]`, { session, headers })).status).toBe(400)
  })
})
