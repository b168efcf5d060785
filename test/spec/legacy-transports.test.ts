import { exports } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { defineTool } from 'helve'
import {
  type LegacyChanges,
  legacyVersions,
  toInitialize,
  toLegacyBody,
  toLegacyHeaders,
  toLegacyNotification,
} from '../support/legacy-request.ts'
import { readEvents } from '../support/sse-events.ts'
import { createServer, url } from './server.ts'

// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports
const { worker, askLegacy, initialize, postLegacy, send, fetch } = createServer(
  { origins: ['https://app.example'] },
  {
    ping: defineTool({ description: 'Answers.', run: () => 'pong' }),
    steps: defineTool({
      description: 'Reports progress.',
      run({ progress }) {
        progress(1)
        progress(2)
        return 'done'
      },
    }),
  },
)
const notify = worker.notify(exports)

const list = (headers: Record<string, string | null>) => askLegacy('tools/list', {}, { headers })

/** A request without a body. */
const request = (method: string, headers: Record<string, string> = {}) =>
  new Request(url, { method, headers })

/** Calls `steps` with a progress token, which makes the response a stream. */
async function stream(changes: LegacyChanges = {}) {
  const params = { name: 'steps', _meta: { progressToken: 'p' } }
  const body = toLegacyBody('tools/call', params, changes.id)
  const response = await fetch(
    new Request(url, { method: 'POST', headers: toLegacyHeaders(changes), body }),
  )
  return { response, ...readEvents(response) }
}

describe('basic/transports, "Security Warning"', () => {
  test.each(['https://evil.example', 'null', 'http://mcp.example.com'])(
    'an invalid Origin MUST get 403: %s',
    async (Origin) => {
      const { status, body, headers } = await list({ Origin })
      expect(status).toBe(403)
      expect(body).not.toHaveProperty('id')
      expect(headers.get('Access-Control-Allow-Origin')).toBeNull()
    },
  )

  test('so does initialize', async () => {
    const changes = { headers: { Origin: 'https://evil.example' } }
    expect((await send(toInitialize(url, '2025-11-25', {}, changes))).status).toBe(403)
  })

  test.each(['GET', 'DELETE'])('so does %s', async (method) => {
    const headers = { Origin: 'https://evil.example', Accept: 'text/event-stream' }
    expect((await send(request(method, headers))).status).toBe(403)
  })

  test('a page of an allowed Origin can read the session id', async () => {
    const changes = { headers: { Origin: 'https://app.example' } }
    const { headers } = await send(toInitialize(url, '2025-11-25', {}, changes))
    expect(headers.get('Access-Control-Allow-Origin')).toBe('https://app.example')
    expect(headers.get('Access-Control-Expose-Headers')).toContain('Mcp-Session-Id')
  })
})

describe('basic/transports, "Sending Messages to the Server"', () => {
  test.each([
    'application/json, text/event-stream',
    'application/json',
    '*/*',
    'text/event-stream, application/json',
    null,
  ])('a request gets application/json for Accept: %j', async (Accept) => {
    const { status, headers } = await list({ Accept })
    expect([status, headers.get('Content-Type')]).toEqual([200, 'application/json'])
  })

  test('a request gets text/event-stream if the client accepts nothing else', async () => {
    const { headers } = await list({ Accept: 'text/event-stream' })
    expect(headers.get('Content-Type')).toBe('text/event-stream')
  })

  test('a message that the server cannot accept MUST get an HTTP error', async () => {
    const result = { jsonrpc: '2.0', id: 'never-asked', result: {} }
    expect((await postLegacy(JSON.stringify(result))).status).toBe(400)
    const headers = { 'Content-Type': 'text/plain' }
    expect((await postLegacy(toLegacyBody('ping'), { headers })).status).toBe(415)
  })

  test('a stream SHOULD begin with an event of an id and empty data', async () => {
    const { nextEvent, messages } = await stream()
    const first = await nextEvent()
    expect(first).toMatchObject({ id: expect.stringMatching(/^[\x21-\x7e]+$/), data: '' })
    await messages()
  })

  test('event ids MUST be unique across all streams', async () => {
    const streams = await Promise.all([stream(), stream(), stream({ id: 2 })])
    const ids = await Promise.all(streams.map(async ({ nextEvent }) => (await nextEvent())?.id))
    await Promise.all(streams.map(({ messages }) => messages()))
    expect(new Set(ids).size).toBe(3)
  })

  test.each(legacyVersions.filter((version) => version !== '2025-11-25'))(
    'events with empty data came with 2025-11-25, and older clients cannot parse them: %s',
    async (version) => {
      const { nextEvent, messages } = await stream({ version })
      expect(JSON.parse((await nextEvent())?.data ?? '')).toMatchObject({
        method: 'notifications/progress',
      })
      await messages()
    },
  )

  test.each(legacyVersions)(
    'a stream SHOULD have the response, and end after it: %s',
    async (version) => {
      const { response, messages } = await stream({ version, id: 's' })
      expect(response.headers.get('Content-Type')).toBe('text/event-stream')
      expect(await messages()).toMatchObject([
        { method: 'notifications/progress', params: { progressToken: 'p', progress: 1 } },
        { method: 'notifications/progress', params: { progressToken: 'p', progress: 2 } },
        { id: 's', result: { content: [{ text: 'done' }] } },
      ])
    },
  )
})

describe('basic/transports, "Listening for Messages from the Server"', () => {
  test('GET MUST get text/event-stream', async () => {
    const headers = { Accept: 'text/event-stream', 'MCP-Protocol-Version': '2025-11-25' }
    const response = await fetch(request('GET', headers))
    expect([response.status, response.headers.get('Content-Type')]).toEqual([
      200,
      'text/event-stream',
    ])
    await readEvents(response).leave()
  })

  test.each(['text/html,application/xhtml+xml,*/*;q=0.8', 'application/json', '*/*'])(
    'or else 405, as a browser and a client without text/event-stream: %s',
    async (Accept) => {
      const { status, headers } = await send(request('GET', { Accept }))
      expect(status).toBe(405)
      expect(headers.get('Allow')).toContain('POST')
    },
  )

  test('or else 405, as a client of HTTP+SSE, which would wait for its first event', async () => {
    const { status } = await send(request('GET', { Accept: 'text/event-stream' }))
    expect(status).toBe(405)
  })
})

describe('basic/transports, "Multiple Connections"', () => {
  test('each message MUST be sent on only one of the connected streams', async () => {
    const session = await initialize()
    const listen = async () =>
      readEvents(
        await fetch(request('GET', { Accept: 'text/event-stream', 'Mcp-Session-Id': session })),
      )
    const older = await listen()
    const newer = await listen()
    await notify.toolsChanged()
    expect(await newer.nextMessage()).toMatchObject({ method: 'notifications/tools/list_changed' })
    // the older one was closed when the newer one opened
    expect(await older.messages()).toEqual([])
    await newer.leave()
  })
})

describe('basic/transports, "Resumability and Redelivery"', () => {
  const resume = (id: string, session: string) =>
    fetch(
      request('GET', {
        Accept: 'text/event-stream',
        'Mcp-Session-Id': session,
        'Last-Event-ID': id,
      }),
    )

  test('a stream that was cut is not resumed: its request gets an error, so that no client waits', async () => {
    const session = await initialize()
    const cut = await stream({ session, id: 'lost' })
    const { id = '' } = (await cut.nextEvent()) ?? {}
    await cut.leave()
    const response = await resume(id, session)
    expect(response.headers.get('Content-Type')).toBe('text/event-stream')
    const messages = await readEvents(response).messages()
    expect(messages).toMatchObject([{ id: 'lost', error: { code: -32603 } }])
  })

  test('messages of another stream MUST NOT be replayed', async () => {
    const [session, other] = await Promise.all([initialize(), initialize()])
    const cut = await stream({ session, id: 'mine' })
    const { id = '' } = (await cut.nextEvent()) ?? {}
    await cut.leave()
    const response = await resume(id, other)
    if (response.status !== 200) return
    const { nextMessage, leave } = readEvents(response)
    await notify.toolsChanged()
    expect(await nextMessage()).not.toHaveProperty('id')
    await leave()
  })

  test('a GET with any other Last-Event-ID begins as usual', async () => {
    const session = await initialize()
    const { nextMessage, leave } = readEvents(await resume('of-another-server', session))
    await notify.toolsChanged()
    expect(await nextMessage()).toMatchObject({ method: 'notifications/tools/list_changed' })
    await leave()
  })
})

describe('basic/transports, "Session Management"', () => {
  test.each(legacyVersions)(
    'a session id MUST only have visible ASCII characters: %s',
    async (version) => {
      expect(await initialize(version)).toMatch(/^[\x21-\x7e]+$/)
    },
  )

  test('session ids SHOULD be globally unique', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => initialize()))
    expect(new Set(ids).size).toBe(5)
  })

  test('a request with the session id is served', async () => {
    const session = await initialize()
    expect((await askLegacy('tools/list', {}, { session })).status).toBe(200)
  })

  test('a session id is not required, so a request without one is served', async () => {
    expect((await askLegacy('tools/list')).status).toBe(200)
  })

  test.each(['tools/list', 'ping'])(
    'a request of a session that does not exist MUST get 404: %s',
    async (method) => {
      const session = await initialize()
      const forged = `${session.slice(0, -4)}AAAA`
      const { status, body } = await askLegacy(method, {}, { session: forged, id: 5 })
      expect([status, body.id]).toEqual([404, 5])
    },
  )

  test('so MUST a notification', async () => {
    const note = toLegacyNotification('notifications/initialized')
    expect((await postLegacy(note, { session: 'garbage' })).status).toBe(404)
  })

  test.each(['GET', 'DELETE'])('so MUST %s', async (method) => {
    const headers = { Accept: 'text/event-stream', 'Mcp-Session-Id': 'garbage' }
    expect((await send(request(method, headers))).status).toBe(404)
  })

  test('DELETE ends a session, whose requests then MUST get 404', async () => {
    const [session, other] = await Promise.all([initialize(), initialize()])
    const { status, text } = await send(request('DELETE', { 'Mcp-Session-Id': session }))
    expect([Math.floor(status / 100), text]).toEqual([2, ''])
    expect((await askLegacy('tools/list', {}, { session })).status).toBe(404)
    expect((await askLegacy('tools/list', {}, { session: other })).status).toBe(200)
    const note = toLegacyNotification('notifications/initialized')
    expect((await postLegacy(note, { session })).status).toBe(404)
    const get = request('GET', { Accept: 'text/event-stream', 'Mcp-Session-Id': session })
    expect((await send(get)).status).toBe(404)
  })

  test('DELETE without a session id gets 400', async () => {
    expect((await send(request('DELETE'))).status).toBe(400)
  })
})

describe('basic/transports, "Protocol Version Header"', () => {
  test.each(legacyVersions)('a version that the server speaks is served: %s', async (version) => {
    expect((await askLegacy('tools/list', {}, { version })).status).toBe(200)
  })

  test('a version that clients or proxies sent twice is served', async () => {
    expect((await list({ 'MCP-Protocol-Version': '2025-06-18, 2025-06-18' })).status).toBe(200)
  })

  test.each(['1999-01-01', 'x', '2025-11-25, 2025-06-18'])(
    'an invalid or unsupported version MUST get 400: "%s"',
    async (version) => {
      const { status, body } = await list({ 'MCP-Protocol-Version': version })
      expect(status).toBe(400)
      expect(body.error.message).toContain('2025-11-25')
    },
  )

  test('so MUST a notification', async () => {
    const headers = { 'MCP-Protocol-Version': '1999-01-01' }
    const note = toLegacyNotification('notifications/initialized')
    expect((await postLegacy(note, { headers })).status).toBe(400)
  })

  test('so MUST GET', async () => {
    const headers = { Accept: 'text/event-stream', 'MCP-Protocol-Version': '1999-01-01' }
    expect((await send(request('GET', headers))).status).toBe(400)
  })

  test('without the header the version is the negotiated one', async () => {
    const headers = { 'MCP-Protocol-Version': null }
    const session = await initialize('2025-11-25')
    const { nextEvent, messages } = await stream({ session, headers })
    // an event that only 2025-11-25 has
    expect((await nextEvent())?.data).toBe('')
    await messages()
  })

  test.each([null, ''])(
    'without the header and a session the version SHOULD be 2025-03-26: %j',
    async (version) => {
      const headers = { 'MCP-Protocol-Version': version }
      // only that revision has batches
      const { status, text } = await postLegacy(`[${toLegacyBody('ping')}]`, { headers })
      expect([status, JSON.parse(text)]).toEqual([200, [{ jsonrpc: '2.0', id: 1, result: {} }]])
    },
  )
})
