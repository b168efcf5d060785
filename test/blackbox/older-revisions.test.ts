import { Agent, request, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import * as z from 'zod'
import { exampleTools } from '../support/example-tools.ts'
import {
  legacyVersions,
  toInitialize,
  toLegacyNotification,
  toLegacyPost,
  toLegacyRequest,
  type LegacyVersion,
} from '../support/legacy-request.ts'
import { toModernRequest } from '../support/modern-request.ts'
import { startWorkerd, type Workerd } from '../support/workerd.ts'

/*
 * Clients of each revision that begins with `initialize`. Every message that they receive is
 * validated by the schema of their revision, in which nothing may stand that it does not name.
 */

let app: Workerd
beforeAll(async () => {
  app = await startWorkerd()
}, 90_000)
afterAll(() => app.stop())

const reply = z.object({
  result: z.record(z.string(), z.unknown()).default({}),
  error: z.object({ code: z.number(), message: z.string() }).optional(),
})

type Reply = z.infer<typeof reply>
type Send = (method: string, params?: object) => Promise<Reply>

/** Begins as clients of this revision do. Those before 2025-06-18 send no version header. */
async function begin(endpoint: string, version: LegacyVersion): Promise<Send> {
  const response = await fetch(toInitialize(endpoint, version))
  expect(reply.parse(await response.json()).result).toMatchObject({ protocolVersion: version })
  const headers = version < '2025-06-18' ? { 'MCP-Protocol-Version': null } : {}
  const changes = { version, session: response.headers.get('Mcp-Session-Id'), headers }
  const ready = toLegacyNotification('notifications/initialized')
  expect((await fetch(toLegacyPost(endpoint, ready, changes))).status).toBe(202)
  return async (method, params) => {
    const response = await fetch(toLegacyRequest(endpoint, method, params, changes))
    return reply.parse(await readLast(response))
  }
}

/** The response itself, which a stream brings last. */
async function readLast(response: Response): Promise<unknown> {
  if (response.headers.get('Content-Type') !== 'text/event-stream') return response.json()
  const events = (await response.text()).split('\n\n').filter((event) => /^data: ./m.test(event))
  return JSON.parse(/^data: (.+)$/m.exec(events.at(-1) ?? '')?.[1] ?? '')
}

describe.each(legacyVersions)('a client of %s', (version) => {
  const names = async (send: Send, method: string, list: string): Promise<readonly unknown[]> => {
    const { result } = await send(method)
    return z
      .array(z.object({ name: z.string() }))
      .parse(result[list])
      .map(({ name }) => name)
  }

  it('lists what the shop has', async () => {
    const send = await begin(inject('endpoint'), version)
    expect(await names(send, 'tools/list', 'tools')).toEqual(exampleTools)
    expect(await names(send, 'prompts/list', 'prompts')).toEqual(['plan_dinner'])
    expect(await names(send, 'resources/list', 'resources')).toContain('KN-101')
    expect(await names(send, 'resources/templates/list', 'resourceTemplates')).toEqual(['product'])
    expect((await send('ping')).result).toEqual({})
  })

  it('receives a value as its revision has it, and always as text', async () => {
    const send = await begin(inject('endpoint'), version)
    const { result } = await send('tools/call', {
      name: 'get_product',
      arguments: { sku: 'CT-504' },
    })
    const [text, ...others] = z.array(z.looseObject({ type: z.string() })).parse(result['content'])
    expect(JSON.parse(String(text?.['text']))).toMatchObject({ priceEur: 68 })
    const isNew = version >= '2025-06-18'
    expect('structuredContent' in result).toBe(isNew)
    expect(others.map(({ type }) => type)).toEqual(['image', isNew ? 'resource_link' : 'text'])
    expect(JSON.stringify(others)).toContain('shop://products/CT-504')
  })

  it('receives prompts, resources and completions', async () => {
    const send = await begin(inject('endpoint'), version)
    const prompt = await send('prompts/get', { name: 'plan_dinner', arguments: { dish: 'ramen' } })
    expect(JSON.stringify(prompt.result['messages'])).toContain('ramen')
    const read = await send('resources/read', { uri: 'shop://catalog' })
    expect(read.result).toMatchObject({ contents: [{ uri: 'shop://catalog' }] })
    const ref = { type: 'ref/resource', uri: 'shop://products/{sku}' }
    const completed = await send('completion/complete', {
      ref,
      argument: { name: 'sku', value: 'CT-504' },
    })
    expect(completed.result).toMatchObject({ completion: { values: ['CT-504'] } })
  })

  it('receives errors that it knows', async () => {
    const send = await begin(inject('endpoint'), version)
    expect((await send('tools/call', { name: 'sell_shop' })).error?.code).toBe(-32602)
    expect((await send('resources/read', { uri: 'shop://none' })).error?.code).toBe(-32002)
    expect((await send('prompts/get', { name: 'plan_war' })).error?.code).toBe(-32602)
    expect((await send('server/discover')).error?.code).toBe(-32601)
    const wrong = { name: 'convert_price', arguments: { amount: 'ten', to: 'JPY' } }
    const { result, error } = await send('tools/call', wrong)
    expect(error?.message ?? JSON.stringify(result)).toContain('amount')
  })

  it.each([
    ['test_simple_text'],
    ['test_image_content'],
    ['test_audio_content'],
    ['test_embedded_resource'],
    ['test_multiple_content_types'],
    ['test_error_handling'],
  ])('receives content of %s', async (name) => {
    const send = await begin(`${app.url}/mcp`, version)
    const { result } = await send('tools/call', { name, arguments: {} })
    expect(result['content']).toContainEqual(expect.objectContaining({ type: expect.any(String) }))
  })

  it('receives all lists of the fixture, and its log messages and progress', async () => {
    const send = await begin(`${app.url}/mcp`, version)
    expect(await names(send, 'tools/list', 'tools')).toContain('test_x_mcp_header')
    await names(send, 'prompts/list', 'prompts')
    await names(send, 'resources/list', 'resources')
    expect((await send('logging/setLevel', { level: 'debug' })).result).toEqual({})
    const params = { name: 'test_tool_with_progress', _meta: { progressToken: 'p' } }
    expect((await send('tools/call', params)).result).toHaveProperty('content')
    const logged = await send('tools/call', { name: 'test_logging_tool' })
    expect(logged.result).toHaveProperty('content')
  })

  it('needs no session', async () => {
    const request = toLegacyRequest(inject('endpoint'), 'tools/list', {}, { version })
    expect(reply.parse(await (await fetch(request)).json()).result).toHaveProperty('tools')
  })

  it('is asked what its revision can ask', async () => {
    const client = new Client(
      { name: 'older', version: '1.0.0' },
      {
        supportedProtocolVersions: [version],
        capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} },
      },
    )
    const asked: string[] = []
    client.setRequestHandler('elicitation/create', () => {
      asked.push('form')
      return { action: 'accept', content: { name: 'Ada' } }
    })
    client.setRequestHandler('sampling/createMessage', () => {
      asked.push('message')
      return { role: 'assistant', model: 'test', content: { type: 'text', text: 'Paris' } }
    })
    client.setRequestHandler('roots/list', () => {
      asked.push('roots')
      return { roots: [{ uri: 'file:///home/me' }] }
    })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`)))
    onTestFinished(() => client.close())
    expect(client.getNegotiatedProtocolVersion()).toBe(version)

    await client.callTool({ name: 'test_input_required_result_sampling' })
    await client.callTool({ name: 'test_input_required_result_list_roots' })
    expect(asked).toEqual(['message', 'roots'])
    const { isError, content } = await client.callTool({ name: 'test_streaming_elicitation' })
    // elicitation came with 2025-06-18
    const isNew = version >= '2025-06-18'
    expect([isError === true, asked.includes('form')]).toEqual([!isNew, isNew])
    expect(JSON.stringify(content)).toContain(isNew ? 'Hello, Ada!' : 'elicitation')
  })
})

describe('a client of 2025-03-26', () => {
  it('sends a batch, without a version header and without a session', async () => {
    const messages = [
      { jsonrpc: '2.0', id: 'one', method: 'tools/call', params: { name: 'test_simple_text' } },
      {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: 1, progress: 1 },
      },
      { jsonrpc: '2.0', id: 2, method: 'resources/read', params: { uri: 'test://none' } },
      { jsonrpc: '2.0', id: 3, method: 'ping' },
    ]
    const headers = { 'MCP-Protocol-Version': null }
    const post = toLegacyPost(`${app.url}/mcp`, JSON.stringify(messages), { headers })
    const answered: unknown = await (await fetch(post)).json()
    expect(answered).toHaveLength(3)
    expect(answered).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: 'one', result: expect.anything() }),
        expect.objectContaining({ id: 2, error: expect.objectContaining({ code: -32002 }) }),
        { jsonrpc: '2.0', id: 3, result: {} },
      ]),
    )
  })
})

describe('one connection', () => {
  it('may have requests of every revision, one after the other', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    const call = { name: 'test_simple_text' }
    const ports = new Set<number | undefined>()
    for (const version of ['2026-07-28', ...legacyVersions, '2026-07-28', ...legacyVersions]) {
      const request = isLegacy(version)
        ? toLegacyRequest(`${app.url}/mcp`, 'tools/call', call, { version })
        : toModernRequest(`${app.url}/mcp`, 'tools/call', call)
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const { port, message } = await sendOver(agent, request)
      const { result } = reply.parse(message)
      expect([version, 'resultType' in result]).toEqual([version, !isLegacy(version)])
      ports.add(port)
    }
    expect(ports.size).toBe(1)
  })
})

function isLegacy(version: string): version is LegacyVersion {
  return legacyVersions.some((legacy) => legacy === version)
}

interface Sent {
  /** The port of the client, which is another one for each connection. */
  readonly port: number | undefined
  readonly message: unknown
}

/** Sends a request over a connection of this agent. */
async function sendOver(agent: Agent, { url, method, headers, body }: Request): Promise<Sent> {
  const sent = request(url, { method, headers: Object.fromEntries(headers), agent })
  sent.end(await new Response(body).text())
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve)
    sent.once('error', reject)
  })
  const port = response.socket.localPort
  return { port, message: await json(response) }
}
