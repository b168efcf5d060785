import { afterEach, describe, expect, test, vi } from 'vitest'
import { defineResource, defineTool, type WorkerOptions } from 'helve'
import { custom } from '../../../src/auth/custom.ts'
import { toBase64Url } from '../../../src/util/bytes.ts'
import { createServer, url } from '../../spec/server.ts'
import { toInitialize, toLegacyRequest } from '../../support/legacy-request.ts'

const description = 'A tool of this test.'
const made = {
  slow: defineTool({ description, run: () => scheduler.wait(1_200).then(() => 'done') }),
  page: defineResource({ uri: 'page://one', mime: 'text/plain', description, read: () => 'page' }),
}
const byToken = custom(({ headers }) => {
  const [, subject = ''] = headers.get('Authorization')?.split(' ') ?? []
  return subject === '' ? null : { subject }
})
const version = { 'MCP-Protocol-Version': '2025-11-25' }
const stream = { Accept: 'text/event-stream', ...version }

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

interface Changes {
  readonly options?: Partial<WorkerOptions>
  readonly bindings?: object
  /** Classes that the Worker does not export. */
  readonly lacking?: readonly string[]
}

function createStreamServer({ options, bindings, lacking = [] }: Changes = {}) {
  const server = createServer({ audit: false, ...options }, made)
  async function send(request: Request): Promise<Response> {
    const [env, ctx] = server.context()
    const lacked = Object.fromEntries(lacking.map((name) => [name, undefined]))
    Object.assign(ctx, { exports: { ...Object(ctx.exports), ...lacked } })
    return server.worker.fetch(request, Object.assign({}, env, bindings), ctx)
  }
  return {
    send,
    begin: async (
      headers: Record<string, string> = {},
      revision = '2025-11-25',
    ): Promise<string> => {
      const response = await send(toInitialize(url, revision, {}, { headers }))
      await response.text()
      return response.headers.get('Mcp-Session-Id') ?? ''
    },
    get: (headers: Record<string, string> = stream) => send(new Request(url, { headers })),
    end: (headers: Record<string, string>) => send(new Request(url, { method: 'DELETE', headers })),
  }
}

/** The beginning of a stream, which is then left. */
async function readStart({ body }: Response): Promise<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  const chunk = await reader?.read()
  await reader?.cancel()
  return chunk?.value ?? ''
}

describe('a GET', () => {
  test.each([
    'text/event-stream',
    'application/json, text/event-stream',
    'TEXT/event-stream;q=0.5, */*;q=0.1',
  ])('that accepts %s is a stream of notifications', async (accept) => {
    const response = await createStreamServer().get({ ...version, Accept: accept })
    expect([response.status, response.headers.get('Content-Type')]).toEqual([
      200,
      'text/event-stream',
    ])
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(await readStart(response)).toBe(':\n\n')
  })

  test.each([
    [{ ...version, Accept: '*/*' }],
    [{ ...version, Accept: 'text/*' }],
    [{ ...version, Accept: 'application/json' }],
    [{ ...version, Accept: 'text/event-stream;q=0, */*' }],
    [{ ...version, Accept: 'text/html, text/event-stream' }],
    [{ ...stream, 'MCP-Protocol-Version': '2026-07-28' }],
    [version],
    // the transport of 2024-11-05, whose clients would wait for another event
    [{ Accept: 'text/event-stream' }],
  ])('with %o is not', async (headers: Record<string, string>) => {
    const response = await createStreamServer().get(headers)
    expect([response.status, response.headers.get('Allow')]).toEqual([405, 'POST, OPTIONS'])
  })

  test('is not, without the hub', async () => {
    const { get, send } = createStreamServer({ lacking: ['Hub'] })
    expect((await get()).status).toBe(405)
    const response = await send(new Request(url, { method: 'OPTIONS' }))
    expect(response.headers.get('Allow')).toBe('POST, DELETE, OPTIONS')
  })

  test('with a session that is forged, or that belongs to someone else, gets 404', async () => {
    const { get, begin } = createStreamServer({ options: { auth: byToken } })
    const ann = { ...stream, Authorization: 'Bearer ann' }
    const session = await begin({ Authorization: 'Bearer ann' })
    expect((await get({ ...ann, 'Mcp-Session-Id': '1.forged' })).status).toBe(404)
    const bob = { ...ann, Authorization: 'Bearer bob', 'Mcp-Session-Id': session }
    expect((await get(bob)).status).toBe(404)
    expect((await get({ ...ann, 'Mcp-Session-Id': session })).status).toBe(200)
  })

  test('with an unknown version gets 400', async () => {
    const response = await createStreamServer().get({ ...stream, 'MCP-Protocol-Version': '2020' })
    expect(response.status).toBe(400)
  })

  test('is authenticated and counted', async () => {
    const guarded = createStreamServer({ options: { auth: byToken } })
    expect((await guarded.get()).status).toBe(401)
    const limit = vi.fn<() => Promise<object>>(() => Promise.resolve({ success: false }))
    const options: object = { limit: 'CALLS' }
    const changes = { options, bindings: { CALLS: { limit } } }
    expect((await createStreamServer(changes).get()).status).toBe(429)
    expect(limit).toHaveBeenCalledTimes(1)
  })

  test('is limited for each caller', async () => {
    const { get } = createStreamServer({
      options: { auth: byToken, hub: { perCaller: 1 } },
    })
    const headers = { ...stream, Authorization: `Bearer ${crypto.randomUUID()}` }
    const first = await get(headers)
    expect([first.status, (await get(headers)).status]).toEqual([200, 429])
  })

  test('with more scopes than the hub has room for gets an error that is no stream', async () => {
    const scopes = Array.from({ length: 1_000 }, (_, n) => `scope-number-${n}`)
    const server = createStreamServer({
      options: { auth: custom(() => ({ subject: 'a', scopes })) },
    })
    const response = await server.get({ ...stream, 'Mcp-Session-Id': await server.begin() })
    expect([response.status, await response.json()]).toMatchObject([400, { error: {} }])
  })

  test('has an audit line with its revision at its end', async () => {
    const log = vi.spyOn(console, 'log').mockReturnValue()
    const { get } = createStreamServer({ options: { audit: {} } })
    await readStart(await get({ ...stream, 'MCP-Protocol-Version': '2025-06-18' }))
    await vi.waitUntil(() => log.mock.calls.length > 0)
    expect(JSON.parse(String(log.mock.calls[0]?.[0]))).toMatchObject({
      what: 'audit',
      method: 'GET /mcp',
      revision: '2025-06-18',
      outcome: 'complete',
      status: 200,
    })
  })
})

/** The ids of the events of a call that becomes a stream. */
async function findIds(server: ReturnType<typeof createStreamServer>, session: string) {
  const changes = { session, id: 'α/1' }
  const request = toLegacyRequest(url, 'tools/call', { name: 'slow' }, changes)
  const text = await (await server.send(request)).text()
  const [, opening = ''] = /^id: (\S+)\nretry: \d{4}\ndata: \n\n/.exec(text) ?? []
  const [, closing = ''] = /\nid: (\S+)\ndata: \{[^\n]+\n\n$/.exec(text) ?? []
  return { text, opening, closing }
}

describe('a stream that broke', () => {
  test('is answered with an error for its request, and is over then', async () => {
    const server = createStreamServer()
    const session = await server.begin()
    const { opening } = await findIds(server, session)
    const headers = { ...stream, 'Mcp-Session-Id': session, 'Last-Event-ID': opening }
    const text = await (await server.get(headers)).text()
    const [, closing, json] = /\nid: (\S+)\ndata: (\{.*\})\n\n$/.exec(text) ?? []
    expect(JSON.parse(json ?? '')).toEqual({
      jsonrpc: '2.0',
      id: 'α/1',
      error: {
        code: -32603,
        message: expect.stringContaining('What the request did is not known'),
      },
    })
    const again = await server.get({ ...headers, 'Last-Event-ID': closing ?? '' })
    expect(again.status).toBe(405)
  })

  test('is not one that ended with its response', async () => {
    const server = createStreamServer()
    const session = await server.begin()
    const { closing } = await findIds(server, session)
    const headers = { ...stream, 'Mcp-Session-Id': session, 'Last-Event-ID': closing }
    expect((await server.get(headers)).status).toBe(405)
  })

  test("is not another session's, nor one that no server had: these begin", async () => {
    const server = createStreamServer()
    const { opening } = await findIds(server, await server.begin())
    const session = await server.begin()
    const id = toBase64Url(new TextEncoder().encode('[1]'))
    const [kind, owner, random] = opening.split('.')
    for (const last of [opening, `${kind}.${owner}.${random}.${id}`, 'x', '7', 'cut.']) {
      const headers = { ...stream, 'Mcp-Session-Id': session, 'Last-Event-ID': last }
      // oxlint-disable-next-line no-await-in-loop
      expect(await readStart(await server.get(headers))).toBe(':\n\n')
    }
  })

  test('has no ids before 2025-11-25, whose clients take an event without data for a message', async () => {
    const server = createStreamServer()
    const session = await server.begin({}, '2025-06-18')
    const request = toLegacyRequest(
      url,
      'tools/call',
      { name: 'slow' },
      { session, version: '2025-06-18' },
    )
    expect(await (await server.send(request)).text()).toMatch(/^:\n\ndata: \{/)
  })
})

describe('DELETE', () => {
  test('ends a session in every isolate that asks for its state', async () => {
    const [one, other] = [createStreamServer(), createStreamServer()]
    const headers = { 'Mcp-Session-Id': await one.begin() }
    const response = await one.end(headers)
    expect([response.status, await response.text()]).toEqual([204, ''])
    expect((await one.end(headers)).status).toBe(404)
    expect((await one.get({ ...stream, ...headers })).status).toBe(404)
    expect((await other.get({ ...stream, ...headers })).status).toBe(404)
    const session = headers['Mcp-Session-Id']
    const subscribe = toLegacyRequest(
      url,
      'resources/subscribe',
      { uri: 'page://one' },
      { session },
    )
    expect((await other.send(subscribe)).status).toBe(404)
  })

  test('is noted for isolates that see the session later, and once a minute for the others', async () => {
    const [one, knows, later] = [createStreamServer(), createStreamServer(), createStreamServer()]
    const session = await one.begin()
    const list = (server: typeof one) =>
      server.send(toLegacyRequest(url, 'tools/list', {}, { session })).then(({ status }) => status)
    expect(await list(knows)).toBe(200)
    await one.end({ 'Mcp-Session-Id': session })
    expect(await list(later)).toBe(404)
    expect(await list(knows)).toBe(200)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    expect(await list(knows)).toBe(404)
    expect(await list(knows)).toBe(404)
  })

  test('without a session gets 400, and with a forged one 404', async () => {
    const { end } = createStreamServer()
    const response = await end({})
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining('no Mcp-Session-Id header'),
    ])
    expect((await end({ 'Mcp-Session-Id': '1.forged' })).status).toBe(404)
  })

  test('is authenticated', async () => {
    const { begin, end } = createStreamServer({ options: { auth: byToken } })
    const session = await begin({ Authorization: 'Bearer ann' })
    expect((await end({ 'Mcp-Session-Id': session })).status).toBe(401)
    const bob = { 'Mcp-Session-Id': session, Authorization: 'Bearer bob' }
    expect((await end(bob)).status).toBe(404)
  })

  test.each([
    ['2026-07-28', { headers: { 'MCP-Protocol-Version': '2026-07-28' } }],
    ['a server for revision 2026-07-28 only', { options: { legacy: false } }],
    ['a server without the class Bridge', { lacking: ['Bridge'] }],
  ])(
    'is not allowed at %s',
    async (_, { headers = {}, ...changes }: Changes & { headers?: object }) => {
      const { end } = createStreamServer(changes)
      const response = await end({ 'Mcp-Session-Id': 'x', ...headers })
      expect(response.status).toBe(405)
      expect(response.headers.get('Allow')).not.toContain('DELETE')
    },
  )
})
