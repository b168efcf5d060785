import { describe, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { defineTool, form, resourceLink, type WorkerOptions } from 'helve'
import { toModernBody, toModernRequest, type Changes } from '../../support/modern-request.ts'
import { echo, endpoint, ping, send, toPost } from './served.ts'

const description = 'A tool of this test.'
const made = {
  echo,
  pong: defineTool({ description, run: () => 'a\nb' }),
  asks: defineTool({
    description,
    ask: () => ({ sure: form('Sure?', z.object({ sure: z.boolean() })) }),
    run: () => 'done',
  }),
  reports: defineTool({
    description,
    run({ progress }) {
      progress(1, 2)
      return 'reported'
    },
  }),
  breaks: defineTool({
    description,
    output: z.object({ sum: z.number() }),
    run({ progress }) {
      progress(1, 2)
      throw new Error('hunter2')
    },
  }),
  mine: defineTool({
    description,
    visible: () => true,
    run: () => resourceLink({ uri: 'x://x', name: 'x' }),
  }),
}

const meta = { 'io.modelcontextprotocol/serverInfo': { name: 'spec', version: '1.2.3' } }
const onlyStreams = { Accept: 'text/event-stream' }

function ask(
  method: string,
  params: { readonly name?: string } & object = {},
  changes: Changes = {},
  options: Partial<WorkerOptions> = {},
) {
  return send(toModernRequest(endpoint, method, params, changes), { options, made })
}

/** The messages of a reply that is a stream. */
function toMessages(text: string): readonly ReturnType<typeof JSON.parse>[] {
  const events = text.split('\n\n').filter((event) => event !== '' && event !== ':')
  return events.map((event) => JSON.parse(event.replace(/^data: /, '')))
}

describe('a message', () => {
  test('that is a result is complete, under its id, and says which server it is from', async () => {
    const { status, headers, body } = await ask(
      'tools/call',
      { name: 'pong' },
      { id: 'a"b\u2028é' },
    )
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toEqual({
      'cache-control': 'no-store',
      'content-type': 'application/json',
    })
    expect(body).toEqual({
      jsonrpc: '2.0',
      id: 'a"b\u2028é',
      result: { resultType: 'complete', content: [{ type: 'text', text: 'a\nb' }], _meta: meta },
    })
  })

  test('for a web page has the headers that browsers need', async () => {
    const headers = { Origin: 'https://claude.ai' }
    const reply = await ask('tools/call', { name: 'pong' }, { headers })
    expect(Object.fromEntries(reply.headers)).toEqual({
      'access-control-allow-origin': 'https://claude.ai',
      'access-control-expose-headers':
        'WWW-Authenticate, Retry-After, MCP-Protocol-Version, Mcp-Session-Id, Age, Cache-Status, ETag',
      'cache-control': 'no-store',
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      vary: 'Origin',
      'x-content-type-options': 'nosniff',
    })
  })

  test('that needs input says so and is not cacheable', async () => {
    const capabilities = { elicitation: { form: {} } }
    const changes = { meta: { 'io.modelcontextprotocol/clientCapabilities': capabilities } }
    const { headers, body } = await ask('tools/call', { name: 'asks' }, changes)
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(body.result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { sure: { method: 'elicitation/create' } },
      _meta: meta,
    })
    expect(body.result).not.toHaveProperty('ttlMs')
  })

  test('that is an error keeps its data and the id of the request', async () => {
    const version = { 'io.modelcontextprotocol/protocolVersion': '1900-01-01' }
    const headers = { 'MCP-Protocol-Version': '1900-01-01' }
    const { status, body } = await ask('tools/list', {}, { meta: version, headers })
    expect(status).toBe(400)
    expect(body).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: {
        code: -32022,
        message: expect.any(String),
        data: { requested: '1900-01-01', supported: expect.arrayContaining(['2026-07-28']) },
      },
    })
  })

  test('that is an error keeps its headers', async () => {
    const { headers } = await send(new Request(endpoint, { method: 'GET' }))
    expect(headers.get('Allow')).toBe('POST, OPTIONS')
  })
})

describe('caching', () => {
  const everybody = { echo }

  test.each([
    ['0s', 'no-store', 0],
    ['999ms', 'no-store', 999],
    ['1999ms', 'public, max-age=1', 1_999],
    ['5m', 'public, max-age=300', 300_000],
  ] as const)('of a list that is fresh for %s is %s in HTTP', async (lists, expected, ttlMs) => {
    const request = toModernRequest(endpoint, 'tools/list')
    const { headers, body } = await send(request, {
      options: { cache: { lists } },
      made: everybody,
    })
    expect(headers.get('Cache-Control')).toBe(expected)
    expect(body.result).toMatchObject({ ttlMs, cacheScope: 'public' })
  })

  test('of a list that depends on its caller is private', async () => {
    const { headers, body } = await ask('tools/list')
    expect(headers.get('Cache-Control')).toMatch(/^(private, max-age=\d+|no-store)$/)
    expect(body.result.cacheScope).toBe('private')
  })

  test.each([{ requestState: 'x' }, { inputResponses: {} }])(
    'of the result of a retry is forbidden: %j',
    async (retry) => {
      const { headers, body } = await send(toModernRequest(endpoint, 'tools/list', retry))
      expect(body.result).toMatchObject({ ttlMs: 0, cacheScope: 'private' })
      expect(headers.get('Cache-Control')).toBe('no-store')
    },
  )

  test('leaves no header behind for the next reply', async () => {
    const headers = { Origin: 'https://claude.ai', ...onlyStreams }
    await ask('tools/list', {}, { headers })
    await ask('tools/call', { name: 'pong' }, { headers })
    const { headers: next } = await ask('tools/call', { name: 'pong' })
    expect(Object.keys(Object.fromEntries(next))).toEqual(['cache-control', 'content-type'])
    const list = await send(toModernRequest(endpoint, 'tools/list'))
    expect(Object.keys(Object.fromEntries(list.headers))).toEqual(['cache-control', 'content-type'])
  })
})

describe('a client that takes only streams', () => {
  test('gets a stream of one event', async () => {
    const { headers, text } = await ask('tools/call', { name: 'pong' }, { headers: onlyStreams })
    expect(headers.get('Content-Type')).toBe('text/event-stream')
    expect(headers.get('X-Accel-Buffering')).toBe('no')
    const [line, ...rest] = text.split('\n')
    expect(rest).toEqual(['', ''])
    expect(line).toMatch(/^data: \{/)
    expect(toMessages(text)).toMatchObject([{ id: 1, result: { content: [{ text: 'a\nb' }] } }])
  })

  test('gets a failure of a method as an event', async () => {
    const unknown = { name: 'unknown' }
    const { status, headers, text } = await ask('tools/call', unknown, { headers: onlyStreams })
    expect(status).toBe(200)
    expect(headers.get('Content-Type')).toBe('text/event-stream')
    expect(headers.get('X-Accel-Buffering')).toBe('no')
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(toMessages(text)).toMatchObject([{ id: 1, error: { code: -32602 } }])
  })

  test('gets any other status as JSON', async () => {
    const { status, headers, body } = await ask('x/y', {}, { headers: onlyStreams })
    expect(status).toBe(404)
    expect(headers.get('Content-Type')).toBe('application/json')
    expect(headers.get('X-Accel-Buffering')).toBeNull()
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(body).toMatchObject({ id: 1, error: { code: -32601 } })
  })
})

describe('a reply that becomes a stream', () => {
  const progressing = { meta: { progressToken: 'p' } }

  test('has the notifications, then the response, and ends', async () => {
    const headers = { Origin: 'https://claude.ai' }
    const reply = await ask('tools/call', { name: 'reports' }, { ...progressing, headers })
    expect(reply.status).toBe(200)
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'access-control-allow-origin': 'https://claude.ai',
      'cache-control': 'no-store',
      'content-type': 'text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'x-accel-buffering': 'no',
    })
    expect(toMessages(reply.text)).toMatchObject([
      { method: 'notifications/progress', params: { progress: 1 } },
      { id: 1, result: { resultType: 'complete', _meta: meta } },
    ])
  })

  test('has a failure as its response', async () => {
    const { text } = await ask('tools/call', { name: 'breaks' }, progressing)
    expect(toMessages(text)).toMatchObject([
      { method: 'notifications/progress' },
      { id: 1, result: { isError: true } },
    ])
    expect(text).not.toContain('hunter2')
  })

  test('is not there for a client that takes JSON alone', async () => {
    const headers = { Accept: 'application/json' }
    const { body } = await ask('tools/call', { name: 'reports' }, { ...progressing, headers })
    expect(body).toMatchObject({ id: 1, result: { resultType: 'complete' } })
  })

  test('is not there for a client that names no stream, however long the call takes', async () => {
    const slow = defineTool({ description, run: () => scheduler.wait(2_300).then(() => 'done') })
    const changes = { headers: { Accept: '*/*' } }
    const request = toModernRequest(endpoint, 'tools/call', { name: 'slow' }, changes)
    const { headers, body } = await send(request, { made: { slow } })
    expect(headers.get('Content-Type')).toBe('application/json')
    expect(body.result.content).toEqual([{ type: 'text', text: 'done' }])
  })

  test('is not there for what is sent after the reply, and no stream opens for it', async () => {
    let later = (): void => {}
    const late = defineTool({
      description,
      run({ progress, log }) {
        later = () => {
          progress(1, 2)
          log.info('late')
        }
        return 'done'
      },
    })
    vi.spyOn(console, 'log').mockImplementation(() => undefined)
    const timer = vi.spyOn(globalThis, 'setTimeout')
    const logging = { progressToken: 'p', 'io.modelcontextprotocol/logLevel': 'debug' }
    const request = toModernRequest(endpoint, 'tools/call', { name: 'late' }, { meta: logging })
    const { body } = await send(request, { made: { late } })
    const before = timer.mock.calls.length
    later()
    expect(body.result.content).toEqual([{ type: 'text', text: 'done' }])
    expect(timer).toHaveBeenCalledTimes(before)
    vi.restoreAllMocks()
  })

  test('that opens between the result and the reply carries the result, and is closed', async () => {
    const timer = vi.spyOn(globalThis, 'setTimeout')
    const clear = vi.spyOn(globalThis, 'clearTimeout')
    for (let turns = 0; turns < 24; turns += 1) {
      const late = defineTool({
        description,
        run({ progress }) {
          const goOn = async (): Promise<void> => {
            // oxlint-disable-next-line no-await-in-loop
            for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
            progress(1)
          }
          void goOn()
          return 'done'
        },
      })
      const changes = { meta: { progressToken: 'p' } }
      const request = toModernRequest(endpoint, 'tools/call', { name: 'late' }, changes)
      // oxlint-disable-next-line no-await-in-loop
      const { text } = await send(request, { made: { late } })
      expect(text).toContain('"text":"done"')
      expect(clear).toHaveBeenCalledTimes(timer.mock.calls.length)
    }
    expect(timer).toHaveBeenCalled()
    vi.restoreAllMocks()
  })

  test('is refused where it can be nothing else, and the client takes JSON alone', async () => {
    const body = toModernBody('subscriptions/listen', { notifications: { toolsListChanged: true } })
    const headers = { 'Mcp-Method': 'subscriptions/listen', 'Mcp-Name': '' }
    const request = toPost(body, { ...headers, Accept: 'application/json' })
    request.headers.delete('Mcp-Name')
    const reply = await send(request)
    expect(reply.status).toBe(406)
    expect(reply.body).toMatchObject({
      id: 1,
      error: { message: expect.stringContaining('Accept is application/json.') },
    })
  })
})

test('a reply to one request alone is never cacheable', async () => {
  const replies = await Promise.all([
    send(toPost(ping)),
    send(toPost('{')),
    send(toPost('{"jsonrpc":"2.0","method":"notifications/x"}')),
    send(new Request('http://127.0.0.1:8787/x')),
    send(new Request(endpoint, { method: 'OPTIONS' })),
  ])
  expect(replies.map(({ headers }) => headers.get('Cache-Control'))).toEqual(
    Array(5).fill('no-store'),
  )
})
