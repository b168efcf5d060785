import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { definePrompt, defineResource, defineTool } from 'helve'
import {
  legacyVersions,
  toInitialize,
  toLegacyNotification,
  toLegacyRequest,
} from '../support/legacy-request.ts'
import { toModernRequest } from '../support/modern-request.ts'
import { createServer, url } from './server.ts'

const instructions = 'Say hello first.'
const server = createServer({ title: 'Spec', instructions })
const { ask, askLegacy, initialize, postLegacy, send } = server

/** The result of `initialize`. */
const begin = async (version: string, of = server) =>
  (await of.send(toInitialize(url, version))).body.result

// https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle
describe('basic/lifecycle, "Initialization"', () => {
  test('the server MUST respond with its capabilities and information', async () => {
    const { status, headers, body } = await send(
      toInitialize(url, '2025-11-25', {}, { id: 'first' }),
    )
    expect([status, headers.get('Content-Type')]).toEqual([200, 'application/json'])
    expect(body).toEqual({
      jsonrpc: '2.0',
      id: 'first',
      result: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: { listChanged: true }, logging: {} },
        serverInfo: { name: 'spec', title: 'Spec', version: '1.2.3' },
        instructions,
      },
    })
  })

  test('notifications/initialized gets 202 without a body', async () => {
    const session = await initialize()
    const { status, text } = await postLegacy(toLegacyNotification('notifications/initialized'), {
      session,
    })
    expect([status, text]).toEqual([202, ''])
  })

  test.each([
    ['protocolVersion', { capabilities: {}, clientInfo: { name: 'a', version: '1' } }],
    ['capabilities', { protocolVersion: '2025-11-25', clientInfo: { name: 'a', version: '1' } }],
    ['clientInfo', { protocolVersion: '2025-11-25', capabilities: {} }],
  ])('initialize MUST contain %s', async (member, params) => {
    const { status, body } = await askLegacy('initialize', params)
    expect([status, body.error.code]).toEqual([200, -32602])
    expect(body.error.message).toContain(member)
  })

  test('a client may initialize again, with the id of a session that has ended', async () => {
    const { status, body } = await send(
      toInitialize(url, '2025-11-25', {}, { session: 'ended-long-ago' }),
    )
    expect([status, body.result.protocolVersion]).toEqual([200, '2025-11-25'])
  })
})

describe('basic/lifecycle, "Version Negotiation"', () => {
  test.each(legacyVersions)(
    'a version that the server supports MUST be echoed: %s',
    async (version) => {
      expect((await begin(version)).protocolVersion).toBe(version)
    },
  )

  test.each(['2024-10-07', '2027-01-01', '1.0.0', '', 'x'.repeat(200)])(
    'any other version MUST be answered with another one, which SHOULD be the newest: "%s"',
    async (version) => {
      expect((await begin(version)).protocolVersion).toBe('2025-11-25')
    },
  )

  test('revision 2026-07-28 has no initialize, so the newest one that has it is offered', async () => {
    const unchecked = createServer({}, undefined, {}, { isChecked: false })
    expect((await begin('2026-07-28', unchecked)).protocolVersion).toBe('2025-11-25')
  })
})

describe('basic/lifecycle, "Capability Negotiation"', () => {
  const description = 'An entry of this test.'
  const full = createServer(
    {},
    {
      a_tool: defineTool({ description, run: () => 'ran' }),
      a_prompt: definePrompt({
        description,
        input: z.object({ topic: z.string() }),
        complete: { topic: () => ['knives'] },
        messages: () => 'Plan it.',
      }),
      a_resource: defineResource({ uri: 'test://note', mime: 'text/plain', read: () => 'note' }),
    },
  )
  const all = {
    tools: { listChanged: true },
    prompts: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
    completions: {},
    logging: {},
  }

  test.each(['2025-11-25', '2025-06-18', '2025-03-26'])(
    'the server declares what it has: %s',
    async (version) => {
      expect((await begin(version, full)).capabilities).toEqual(all)
    },
  )

  test('completions are declared since 2025-03-26', async () => {
    const { completions: _, ...others } = all
    expect((await begin('2024-11-05', full)).capabilities).toEqual(others)
  })

  test('both parties MUST only use capabilities that were negotiated', async () => {
    const { body } = await askLegacy('prompts/list')
    expect(body.error.code).toBe(-32601)
  })

  test.each(['2025-03-26', '2024-11-05'])(
    'serverInfo has a title since 2025-06-18: %s',
    async (version) => {
      expect((await begin(version)).serverInfo).toEqual({ name: 'spec', version: '1.2.3' })
    },
  )
})

// https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning
describe('basic/versioning of 2026-07-28: which era a request belongs to', () => {
  test('is decided by header and _meta, never by the method', async () => {
    const [modern, legacy] = await Promise.all([
      ask('tools/call', { name: 'ping' }),
      askLegacy('tools/call', { name: 'ping' }),
    ])
    expect(modern.body.result.resultType).toBe('complete')
    expect(legacy.body.result).toEqual({ content: [{ type: 'text', text: 'pong' }] })
  })

  test.each(['initialize', 'ping', 'logging/setLevel', 'resources/subscribe'])(
    'a method of earlier revisions with modern _meta gets 404 and -32601: %s',
    async (method) => {
      const { status, body } = await ask(method)
      expect([status, body.error.code]).toEqual([404, -32601])
    },
  )

  test.each(['server/discover', 'subscriptions/listen'])(
    'a method of 2026-07-28 is unknown before it: %s',
    async (method) => {
      const { status, body } = await askLegacy(method)
      expect([status, body.error.code]).toEqual([200, -32601])
    },
  )

  test('the header alone makes a request modern, which then lacks its _meta', async () => {
    const { status, body } = await send(
      toLegacyRequest(url, 'tools/list', {}, { headers: { 'MCP-Protocol-Version': '2026-07-28' } }),
    )
    expect([status, body.error.code]).toEqual([400, -32602])
  })

  test('requests of both eras interleave without touching each other', async () => {
    const session = await initialize('2025-06-18')
    const requests = Array.from({ length: 20 }, (_, index) =>
      index % 2 === 0
        ? toModernRequest(url, 'tools/list', {}, { id: index })
        : toLegacyRequest(url, 'tools/list', {}, { id: index, session, version: '2025-06-18' }),
    )
    const replies = await Promise.all(requests.map(send))
    expect(replies.map(({ body }) => [body.id, 'resultType' in body.result])).toEqual(
      requests.map((_, index) => [index, index % 2 === 0]),
    )
    expect(new Set(replies.map(({ text }) => text.replace(/"id":\d+/, ''))).size).toBe(2)
  })

  test('a modern request is served whatever its Mcp-Session-Id is', async () => {
    const { status, body } = await ask(
      'tools/list',
      {},
      { headers: { 'Mcp-Session-Id': 'garbage' } },
    )
    expect([status, body.result.resultType]).toEqual([200, 'complete'])
  })

  test('a server with `legacy: false` refuses initialize with a sentence', async () => {
    const modern = createServer({ legacy: false })
    const { status, body } = await modern.send(toInitialize(url, '2025-06-18'))
    expect([status, body.error.code]).toEqual([400, -32022])
    expect(body.error.message).toContain('2026-07-28')
  })

  test.each([
    ['a trace', { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }],
    ['a progress token', { progressToken: 1 }],
    ['nothing', {}],
    ['no object', null],
  ])('and so it does if its `_meta` has %s', async (_, _meta) => {
    const modern = createServer({ legacy: false })
    const clientInfo = { name: 'test', version: '1.0.0' }
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo, _meta }
    const headers = { 'MCP-Protocol-Version': null }
    const { status, body } = await modern.send(
      toLegacyRequest(url, 'initialize', params, { headers }),
    )
    expect([status, body.error.code]).toEqual([400, -32022])
    expect(body.error.message).toContain('this client opened with revision 2025-06-18')
  })
})
