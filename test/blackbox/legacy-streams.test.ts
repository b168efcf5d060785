import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import * as z from 'zod'
import { startCuttingProxy } from '../support/cutting-proxy.ts'
import { everythingHosts, type Everything } from '../support/everything.ts'
import {
  toInitialize,
  toLegacyHeaders,
  toLegacyNotification,
  toLegacyPost,
  toLegacyRequest,
} from '../support/legacy-request.ts'
import { connectV1 } from '../support/v1-client.ts'

const watched = 'test://watched-resource'
// machines that run other tests as well are slow at times
const soon = { timeout: 15_000 }

const reasonReply = z.object({
  result: z.object({ structuredContent: z.object({ reason: z.string().nullable() }) }),
})

/** A stream of events, as it arrives. */
interface OpenStream {
  readonly status: number
  readonly text: () => string
  /** Resolves when the server has closed it. */
  readonly ended: Promise<string>
}

describe.each(everythingHosts)('a client of the earlier revisions and %s', (_, start) => {
  let app: Everything
  beforeAll(async () => {
    app = await start()
  }, 90_000)
  afterAll(() => app.stop())

  const post = (method: string, params: object, session: string, headers = {}) =>
    fetch(toLegacyRequest(app.endpoint, method, params, { session, headers }))

  async function cancel(requestId: string | number, session: string): Promise<number> {
    const body = toLegacyNotification('notifications/cancelled', { requestId })
    return (await fetch(toLegacyPost(app.endpoint, body, { session }))).status
  }

  async function begin(): Promise<string> {
    const response = await fetch(toInitialize(app.endpoint, '2025-11-25'))
    await response.text()
    return response.headers.get('Mcp-Session-Id') ?? ''
  }

  /** A call that waits until it is aborted, and the reason of it. */
  async function findReason(key: string): Promise<unknown> {
    const params = { name: 'was_aborted', arguments: { key } }
    const response = await fetch(toLegacyRequest(app.endpoint, 'tools/call', params))
    const { result } = reasonReply.parse(await response.json())
    return result.structuredContent.reason
  }

  async function listen(session: string, headers: Record<string, string> = {}) {
    const more = { Accept: 'text/event-stream', 'Content-Type': null, ...headers }
    return read(await fetch(app.endpoint, { headers: toLegacyHeaders({ session, headers: more }) }))
  }

  function read(response: Response): OpenStream {
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    const drain = async (): Promise<string> => {
      for (;;) {
        // oxlint-disable-next-line no-await-in-loop -- one chunk after the other
        const chunk = await reader?.read()
        if (chunk === undefined || chunk.done) return text
        text += chunk.value
      }
    }
    const ended = drain()
    ended.catch(() => {})
    onTestFinished(async () => {
      await reader?.cancel().catch(() => {})
    })
    return { status: response.status, text: () => text, ended }
  }

  const touch = (session: string): Promise<Response> =>
    post('tools/call', { name: 'resource_touch', arguments: { uri: watched } }, session)

  it('has one stream, and the newer one wins', async () => {
    const session = await begin()
    const first = await listen(session)
    const second = await listen(session)
    const lastId = (await first.ended).match(/^id: (over\S+)\ndata: \n\n$/m)?.[1]
    expect((await post('resources/subscribe', { uri: watched }, session)).status).toBe(200)
    await touch(session)
    await vi.waitUntil(() => second.text().includes('resources/updated'), soon)
    expect(second.text()).toContain(
      `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"${watched}"}}`,
    )
    // so that the two do not take turns
    expect((await listen(session, { 'Last-Event-ID': lastId ?? '' })).status).toBe(405)
  })

  it('no longer hears of what it unsubscribed from', async () => {
    const session = await begin()
    await (await post('resources/subscribe', { uri: watched }, session)).text()
    const stream = await listen(session)
    await touch(session)
    await vi.waitUntil(() => stream.text().includes('resources/updated'), soon)
    await (await post('resources/unsubscribe', { uri: watched }, session)).text()
    await touch(session)
    await post('tools/call', { name: 'test_trigger_tool_change' }, session)
    await vi.waitUntil(() => stream.text().includes('tools/list_changed'), soon)
    expect(stream.text().match(/resources\/updated/g)).toHaveLength(1)
  })

  it('ends its session with DELETE', async () => {
    const session = await begin()
    const stream = await listen(session)
    const headers = toLegacyHeaders({ session })
    const del = (): Promise<Response> => fetch(app.endpoint, { method: 'DELETE', headers })
    expect((await del()).status).toBe(204)
    expect(await stream.ended).toMatch(/^id: over/m)
    expect((await del()).status).toBe(404)
    expect((await listen(session)).status).toBe(404)
    expect((await post('tools/list', {}, session)).status).toBe(404)
  })

  it.each([
    ['a stream', 'application/json, text/event-stream', 200],
    ['JSON', 'application/json', 202],
  ])('cancels a call that is answered with %s', async (_, accept, status) => {
    const session = await begin()
    const key = crypto.randomUUID()
    const params = { name: 'wait_until_aborted', arguments: { key } }
    const calling = post('tools/call', params, session, { Accept: accept })
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(await cancel(1, await begin())).toBe(202)
    expect(await cancel('1', session)).toBe(202)
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(await findReason(key)).toBe(null)
    expect(await cancel(1, session)).toBe(202)
    const response = await calling
    expect([response.status, await response.text()]).toEqual([
      status,
      expect.not.stringContaining('{'),
    ])
    await expect.poll(() => findReason(key), soon).toContain('The client cancelled the request.')
  })

  /** Connects version 1 of the official client, and notes its GETs: what it resumes, and the status. */
  async function connectNoted(endpoint: string) {
    const gets: string[] = []
    const v1 = await connectV1(endpoint, {
      async fetch(url, init) {
        const response = await fetch(url, init)
        const last = new Headers(init?.headers).get('Last-Event-ID') ?? 'begin'
        if (init?.method === 'GET') gets.push(`${last.split('.')[0]} ${response.status}`)
        return response
      },
    })
    await v1.listening
    return { ...v1, gets }
  }

  it('is told when its connection was cut, and goes on', async () => {
    const proxy = await startCuttingProxy(app.endpoint)
    onTestFinished(proxy.stop)
    const { client, heard, gets } = await connectNoted(proxy.endpoint)
    const call = client.callTool({ name: 'sleep', arguments: { ms: 15_000 } })
    setTimeout(proxy.cut, 2_000)
    await expect(call).rejects.toThrow('The connection broke before the result was sent')
    const { content } = await client.callTool({ name: 'test_simple_text', arguments: {} })
    expect(content).toHaveLength(1)
    const expected = ['begin 200', 'begin 200', 'cut 200', 'over 405']
    await expect.poll(() => gets.toSorted(), soon).toEqual(expected)
    await client.callTool({ name: 'test_trigger_tool_change', arguments: {} })
    await vi.waitUntil(() => heard.includes('notifications/tools/list_changed'), soon)
    expect(gets).toHaveLength(4)
  })

  it('asks for no stream again after a call that it cancelled or that ended', async () => {
    const { client, gets } = await connectNoted(app.endpoint)
    await client.callTool({ name: 'sleep', arguments: { ms: 1_500 } })
    const abort = new AbortController()
    const params = { name: 'wait_until_aborted', arguments: { key: 'again' } }
    const call = client.callTool(params, undefined, { signal: abort.signal })
    setTimeout(() => abort.abort(), 1_500)
    await expect(call).rejects.toThrow('abort')
    // the client does not read that the stream ended because it cancelled, and asks once
    await expect.poll(() => gets, soon).toEqual(['begin 200', 'over 405'])
  })
})
