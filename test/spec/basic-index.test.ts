import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { definePrompt, defineResource, defineTool } from 'helve'
import { createServer } from './server.ts'
import { toModernBody, toModernHeaders } from '../support/modern-request.ts'

// https://modelcontextprotocol.io/specification/2026-07-28/basic
const { ask, post } = createServer()
const headers = toModernHeaders('tools/list')
const message = (changes: object): string =>
  JSON.stringify({ ...JSON.parse(toModernBody('tools/list')), ...changes })

describe('Requests', () => {
  test.each([1, 0, -7, 2 ** 53 - 1, 'abc', '', '1', 'ü😀'])(
    'MUST be answered with the same id: %j',
    async (id) => {
      const { body } = await ask('tools/list', {}, { id })
      expect(body.id).toBe(id)
      expect(body.jsonrpc).toBe('2.0')
    },
  )

  test.each([null, 1.5, 2 ** 53, true, [], {}])('MUST NOT have the id %j', async (id) => {
    const { status, body } = await post(message({ id }), headers)
    expect(status).toBe(400)
    expect(body.error.code).toBe(-32600)
    expect(body).not.toHaveProperty('id')
  })

  test.each([
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]'],
    ['an empty batch', '[]'],
    ['another version of JSON-RPC', message({ jsonrpc: '1.0' })],
    ['no version of JSON-RPC', message({ jsonrpc: undefined })],
    ['no method', message({ method: undefined })],
    ['a method that is a number', message({ method: 1 })],
    ['parameters by position', message({ params: [] })],
    ['a string', '"tools/list"'],
    ['null', 'null'],
  ])('are refused: %s', async (_, text) => {
    const { status, body } = await post(text, headers)
    expect(status).toBe(400)
    expect(body.error.code).toBe(-32600)
  })
})

describe('Responses', () => {
  test.each(['server/discover', 'tools/list'])('MUST have a resultType: %s', async (method) => {
    expect((await ask(method)).body.result.resultType).toBe('complete')
  })

  test('MUST have a resultType: tools/call, failing ones too', async () => {
    for (const name of ['ping', 'fail']) {
      // oxlint-disable-next-line no-await-in-loop
      expect((await ask('tools/call', { name })).body.result.resultType).toBe('complete')
    }
  })

  test.each([
    ['a result', '{"jsonrpc":"2.0","id":1,"result":{}}'],
    ['an error', '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}'],
  ])('are refused if a client sends them: %s', async (_, text) => {
    const { status, body } = await post(text)
    expect(status).toBe(400)
    expect(body.error.code).toBe(-32600)
  })
})

describe('Error codes', () => {
  test.each<[string, string, object, number]>([
    ['an unknown method', 'tools/destroy', {}, -32601],
    ['an unknown tool', 'tools/call', { name: 'nope' }, -32602],
    ['a bad cursor', 'tools/list', { cursor: 'nope' }, -32602],
  ])('are those of JSON-RPC: %s', async (_, method, params, code) => {
    expect((await ask(method, params)).body.error.code).toBe(code)
  })

  test('of a body that is not JSON is -32700', async () => {
    const { status, body } = await post('{"jsonrpc":', headers)
    expect([status, body.error.code]).toEqual([400, -32700])
    expect(body).not.toHaveProperty('id')
  })
})

describe('params that the schema forbids: an optional member may be absent, but not null', () => {
  const description = 'An entry of this test.'
  const server = createServer(
    {},
    {
      free: defineTool({ description, run: () => 'ran' }),
      asks: defineTool({ description, ask: () => ({}), run: () => 'ran' }),
      plan: definePrompt({
        description,
        input: z.object({ topic: z.string().optional() }),
        complete: { topic: () => ['knives'] },
        messages: () => 'Plan it.',
      }),
      note: defineResource({ uri: 'test://note', mime: 'text/plain', read: () => 'a note' }),
    },
  )
  const askServer = (method: string, params: object) =>
    server.ask(method, params, 'uri' in params ? { headers: { 'Mcp-Name': 'test://note' } } : {})
  const rounds = [
    ...[null, [], 'yes', 5].map((inputResponses) => ({ inputResponses })),
    ...[null, 5, {}, true].map((requestState) => ({ requestState })),
  ]
  const wrongArguments = [null, [], 'x', 5].map((given) => ({ arguments: given }))
  const ref = { type: 'ref/prompt', name: 'plan' }
  const argument = { name: 'topic', value: '' }
  const cases: readonly (readonly [string, object, readonly object[]])[] = [
    ['tools/call', { name: 'free' }, [...rounds, ...wrongArguments]],
    ['tools/call', { name: 'asks' }, [...rounds, ...wrongArguments]],
    [
      'prompts/get',
      { name: 'plan' },
      [...rounds, ...wrongArguments, { arguments: { topic: null } }],
    ],
    ['resources/read', { uri: 'test://note' }, rounds],
    ...['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'].map(
      (method) => [method, {}, [null, 5, {}, []].map((cursor) => ({ cursor }))] as const,
    ),
    [
      'completion/complete',
      { ref, argument },
      [
        ...[null, 'plan', {}, { type: 'ref/prompt' }, { ...ref, name: null }].map((wrong) => ({
          ref: wrong,
        })),
        ...[null, 'topic', {}, { name: 'topic' }, { name: 'topic', value: 1 }].map((wrong) => ({
          argument: wrong,
        })),
        ...[null, [], { arguments: null }, { arguments: [] }, { arguments: { topic: 1 } }].map(
          (context) => ({ context }),
        ),
      ],
    ],
    [
      'subscriptions/listen',
      {},
      [null, [], { toolsListChanged: null }, { resourceSubscriptions: null }].map(
        (notifications) => ({ notifications }),
      ),
    ],
  ]
  const all = cases.flatMap(([method, good, wrongs]) =>
    wrongs.map((wrong) => [method, wrong, { ...good, ...wrong }] as const),
  )

  test.each(all)('%s with %j is -32602', async (method, _, params) => {
    expect((await askServer(method, params)).body.error).toMatchObject({ code: -32602 })
  })

  test.each(cases.filter(([method]) => method !== 'subscriptions/listen'))(
    '%s with %j has a result',
    async (method, good) => {
      expect((await askServer(method, good)).body.result.resultType).toBe('complete')
    },
  )
})

describe('Notifications', () => {
  test.each(['notifications/cancelled', 'notifications/anything'])(
    'MUST NOT be answered, only acknowledged with 202: %s',
    async (method) => {
      const { status, text } = await post(JSON.stringify({ jsonrpc: '2.0', method }))
      expect([status, text]).toEqual([202, ''])
    },
  )
})

const version = 'io.modelcontextprotocol/protocolVersion'
const capabilities = 'io.modelcontextprotocol/clientCapabilities'

describe('_meta', () => {
  test.each([
    ['server/discover', { [version]: null }],
    ['tools/list', { [version]: null }],
    ['tools/call', { [version]: null }],
    ['no/such', { [version]: null }],
    ['server/discover', { [capabilities]: null }],
    ['tools/list', { [capabilities]: 'none' }],
    ['tools/list', { [version]: 20260728 }],
    ['tools/list', { [capabilities]: [] }],
  ])(
    'without a required field MUST be refused with 400 and -32602: %s %j',
    async (method, meta) => {
      const { status, body } = await ask(method, { name: 'ping' }, { meta, id: 'm' })
      expect([status, body.error.code, body.id]).toEqual([400, -32602, 'm'])
    },
  )

  test('may omit clientInfo and contain other keys', async () => {
    const meta = {
      'io.modelcontextprotocol/clientInfo': null,
      'com.example/x': [1],
      traceparent: '00',
    }
    expect((await ask('tools/list', {}, { meta })).status).toBe(200)
  })

  test.each([
    ['server/discover', {}],
    ['tools/list', {}],
    ['tools/call', { name: 'ping' }],
    ['tools/call', { name: 'fail' }],
  ])('of every result SHOULD contain serverInfo: %s %j', async (method, params) => {
    const { body } = await ask(method, params)
    expect(body.result._meta['io.modelcontextprotocol/serverInfo']).toEqual({
      name: 'spec',
      version: '1.2.3',
    })
  })
})

describe('Statelessness', () => {
  test('a request MUST NOT depend on an earlier one', async () => {
    const fresh = createServer()
    const { body } = await fresh.ask('tools/call', { name: 'add', arguments: { a: 1, b: 2 } })
    expect(body.result.structuredContent).toEqual({ sum: 3 })
  })
})
