import { afterEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { defineResource, defineTool, type WorkerOptions } from 'helve'
import { custom } from '../../../src/auth/custom.ts'
import { optionalAuth } from '../../../src/auth/optional-auth.ts'
import { createServer, url } from '../../spec/server.ts'
import { type LegacyChanges, toInitialize, toLegacyPost } from '../../support/legacy-request.ts'
import {
  toLegacyBody,
  toLegacyNotification,
  toLegacyRequest,
} from '../../support/legacy-request.ts'
import { toModernBody, toModernRequest } from '../../support/modern-request.ts'
import { echo } from './served.ts'

const key = 'k'.repeat(32)
const description = 'A tool of this test.'
const origin = 'https://claude.ai'

const made = {
  echo,
  count: defineTool({
    description,
    input: z.object({ n: z.number() }),
    run: ({ input }) => `n is ${input.n}`,
  }),
  breaks: defineTool({
    description,
    run() {
      throw new Error('hunter2')
    },
  }),
  large: defineTool({ description, run: () => 'x'.repeat(20_000) }),
  page: defineResource({ uri: 'page://one', mime: 'text/plain', description, read: () => 'page' }),
}

const byToken = custom(({ headers }) => {
  const [, subject = ''] = headers.get('Authorization')?.split(' ') ?? []
  return subject === '' ? null : { subject }
})

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

interface ServerChanges {
  readonly options?: Partial<WorkerOptions>
  readonly bindings?: object
}

/** A server whose audit lines are kept. */
function createLegacyServer({ options, bindings }: ServerChanges = {}) {
  const server = createServer({ origins: [origin], audit: false, ...options }, made)
  const send = async (request: Request) => {
    const [env, ctx] = server.context()
    const all = Object.assign({}, env, { STATE_KEY: key }, bindings)
    const response = await server.worker.fetch(request, all, ctx)
    const text = await response.text()
    // a reply is whatever came: tests look into it and fail where it is something else
    const body: ReturnType<typeof JSON.parse> = /^[[{]/.test(text) ? JSON.parse(text) : null
    return { status: response.status, headers: response.headers, text, body }
  }
  return {
    send,
    ask: (method: string, params?: object, changes?: LegacyChanges) =>
      send(toLegacyRequest(url, method, params, changes)),
    /** Posts the messages, each of which is JSON text, as a batch. */
    batch: (messages: readonly string[], changes: LegacyChanges = {}) =>
      send(toLegacyPost(url, `[${messages.join(',')}]`, { version: '2025-03-26', ...changes })),
    initialize: async (changes: LegacyChanges = {}) => {
      const { headers } = await send(toInitialize(url, '2025-11-25', {}, changes))
      return headers.get('Mcp-Session-Id') ?? ''
    },
  }
}

function toEcho(text: string, id: string | number = 1): string {
  return toLegacyBody('tools/call', { name: 'echo', arguments: { text } }, id)
}

const ping = (id: string | number = 1): string => toLegacyBody('ping', undefined, id)
const as = (subject: string) => ({ headers: { Authorization: `Bearer ${subject}` } })
const unknownSession = {
  status: 404,
  body: { jsonrpc: '2.0', id: 1, error: { code: -32600, message: expect.any(String) } },
}

describe('initialize', () => {
  test('returns the revision, the server and a session id', async () => {
    const { status, headers, body } = await createLegacyServer().send(
      toInitialize(url, '2025-06-18'),
    )
    expect(status).toBe(200)
    expect(headers.get('Mcp-Session-Id')).toMatch(/^[\x21-\x7e]+$/)
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(body).toMatchObject({ id: 1, result: { protocolVersion: '2025-06-18' } })
    for (const absent of ['resultType', '_meta', 'ttlMs']) {
      expect(body.result).not.toHaveProperty(absent)
    }
  })

  test('comes as an event to a client that accepts nothing else', async () => {
    const changes = { headers: { Accept: 'text/event-stream' } }
    const { headers, text } = await createLegacyServer().send(
      toInitialize(url, '2025-11-25', {}, changes),
    )
    expect(headers.get('Content-Type')).toBe('text/event-stream')
    expect(headers.get('Mcp-Session-Id')).not.toBeNull()
    expect(text).toContain('data: {"jsonrpc":"2.0","id":1,"result":')
  })

  test('ignores the session id of a client that begins again, and its version', async () => {
    const changes = { headers: { 'Mcp-Session-Id': 'forged', 'MCP-Protocol-Version': '1.0' } }
    const { status } = await createLegacyServer().send(toInitialize(url, '2025-11-25', {}, changes))
    expect(status).toBe(200)
  })

  test('as a notification does nothing', async () => {
    const { send } = createLegacyServer()
    const reply = await send(toLegacyPost(url, toLegacyNotification('initialize', {})))
    expect(reply).toMatchObject({ status: 202, text: '' })
    expect(reply.headers.get('Mcp-Session-Id')).toBeNull()
  })

  test('is served without a key, and so is every request without a session', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const bindings = { STATE_KEY: undefined }
    const server = createServer({ audit: false }, made)
    const send = (request: Request) => {
      const [env, ctx] = server.context()
      Object.assign(ctx, { exports: { Bridge: Reflect.get(Object(ctx.exports), 'Bridge') } })
      return server.worker.fetch(request, Object.assign(env, bindings), ctx)
    }
    const reply = await send(toInitialize(url, '2025-11-25'))
    expect(reply.status).toBe(200)
    expect(reply.headers.get('Mcp-Session-Id')).toBeNull()
    expect((await send(toLegacyPost(url, toEcho('hi')))).status).toBe(200)
    const forged = await send(toLegacyPost(url, toEcho('hi'), { session: 'forged' }))
    expect(forged.status).toBe(404)
    const answer = JSON.stringify({ jsonrpc: '2.0', id: '1.x', result: {} })
    expect((await send(toLegacyPost(url, answer))).status).toBe(400)
  })

  test('exposes the session id to web pages', async () => {
    const { headers } = await createLegacyServer().send(
      toInitialize(url, '2025-06-18', {}, { headers: { Origin: origin } }),
    )
    expect(headers.get('Access-Control-Expose-Headers')).toContain('Mcp-Session-Id')
    expect(headers.get('Access-Control-Allow-Origin')).toBe(origin)
    expect(headers.get('MCP-Protocol-Version')).toBe('2025-06-18')
  })
})

describe('a session id', () => {
  test('is accepted', async () => {
    const { initialize, ask } = createLegacyServer()
    expect(await ask('ping', {}, { session: await initialize() })).toMatchObject({ status: 200 })
  })

  test('is optional', async () => {
    expect(await createLegacyServer().ask('tools/list')).toMatchObject({ status: 200 })
  })

  test.for([
    'forged',
    '1.',
    `1.${'A'.repeat(300)}`,
    'x'.repeat(8_192),
    `1.${'A'.repeat(60_000)}`,
    'constructor',
    '../../etc',
  ])('is refused if it is "%.12s"', async (session) => {
    const { ask } = createLegacyServer()
    expect(await ask('tools/list', {}, { session })).toMatchObject(unknownSession)
  })

  test('is refused for another caller, and for an anonymous one', async () => {
    const auth = optionalAuth(byToken)
    const { initialize, ask } = createLegacyServer({ options: { auth } })
    const session = await initialize(as('ada'))
    expect(await ask('ping', {}, { session, ...as('ada') })).toMatchObject({ status: 200 })
    expect(await ask('ping', {}, { session, ...as('bob') })).toMatchObject(unknownSession)
    expect(await ask('ping', {}, { session })).toMatchObject(unknownSession)
  })

  test('that began anonymously goes on when its client authenticates, as it does to step up', async () => {
    const auth = optionalAuth(byToken)
    const { initialize, ask } = createLegacyServer({ options: { auth } })
    const session = await initialize()
    expect(await ask('ping', {}, { session })).toMatchObject({ status: 200 })
    expect(await ask('ping', {}, { session, ...as('ada') })).toMatchObject({ status: 200 })
  })

  test('that a proxy sent twice is accepted, and two different ones are not', async () => {
    const { initialize, ask } = createLegacyServer()
    const [session, other] = [await initialize(), await initialize()]
    expect(await ask('ping', {}, { session: `${session}, ${session}` })).toMatchObject({
      status: 200,
    })
    expect(await ask('ping', {}, { session: `${session}, ${other}` })).toMatchObject(unknownSession)
  })

  test('of another server with the same key is refused', async () => {
    const session = await createLegacyServer({ options: { name: 'another' } }).initialize()
    expect(await createLegacyServer().ask('ping', {}, { session })).toMatchObject(unknownSession)
  })

  test('is refused after 30 days', async () => {
    const { initialize, ask } = createLegacyServer()
    vi.useFakeTimers({ toFake: ['Date'] })
    const session = await initialize()
    vi.setSystemTime(Date.now() + 30 * 86_400_000)
    expect(await ask('ping', {}, { session })).toMatchObject(unknownSession)
  })

  test('outlives the rotation of the key until the old key is removed', async () => {
    const session = await createLegacyServer().initialize()
    const other = 'o'.repeat(32)
    const both = createLegacyServer({ bindings: { STATE_KEY: `${other},${key}` } })
    expect(await both.ask('ping', {}, { session })).toMatchObject({ status: 200 })
    const only = createLegacyServer({ bindings: { STATE_KEY: other } })
    expect(await only.ask('ping', {}, { session })).toMatchObject(unknownSession)
  })

  test('is ignored in requests of revision 2026-07-28', async () => {
    const headers = { 'Mcp-Session-Id': 'forged', 'Mcp-Name': 'echo' }
    const params = { name: 'echo', arguments: { text: 'hi' } }
    const { send } = createLegacyServer()
    const reply = await send(toModernRequest(url, 'tools/call', params, { headers }))
    expect(reply).toMatchObject({ status: 200, body: { result: { resultType: 'complete' } } })
    expect(reply.headers.get('Mcp-Session-Id')).toBeNull()
  })

  test('that is forged tells a notification and a batch, too', async () => {
    const { send, batch } = createLegacyServer()
    const notification = toLegacyNotification('notifications/initialized')
    const session = 'forged'
    expect(await send(toLegacyPost(url, notification, { session }))).toMatchObject({ status: 404 })
    expect(await batch([ping()], { session })).toMatchObject({ status: 404 })
  })

  test('with a log level takes the place of the first one', async () => {
    const { initialize, ask } = createLegacyServer()
    const first = await initialize()
    const { status, body, headers } = await ask(
      'logging/setLevel',
      { level: 'info' },
      { session: first },
    )
    expect({ status, body }).toEqual({ status: 200, body: { jsonrpc: '2.0', id: 1, result: {} } })
    const second = headers.get('Mcp-Session-Id') ?? ''
    expect(second).not.toBe(first)
    expect(await ask('ping', {}, { session: first })).toMatchObject({ status: 200 })
    expect(await ask('ping', {}, { session: second })).toMatchObject({ status: 200 })
  })
})

describe('the version header', () => {
  test.for(['2025-11-25, 2025-11-25', '2024-11-05'])('may be "%s"', async (header) => {
    const headers = { 'MCP-Protocol-Version': header }
    expect(await createLegacyServer().ask('ping', {}, { headers })).toMatchObject({ status: 200 })
  })

  test.for(['2025-11-25, 2025-06-18', '1.0'])('must not be "%s"', async (header) => {
    const headers = { 'MCP-Protocol-Version': header }
    expect(await createLegacyServer().ask('ping', {}, { headers })).toMatchObject({
      status: 400,
      body: { id: 1, error: { code: -32022 } },
    })
  })

  test('may be missing', async () => {
    const headers = { 'MCP-Protocol-Version': null }
    expect(await createLegacyServer().ask('ping', {}, { headers })).toMatchObject({ status: 200 })
  })
})

describe('a message', () => {
  test('a ping has an empty result', async () => {
    const { text } = await createLegacyServer().ask('ping')
    expect(text).toBe('{"jsonrpc":"2.0","id":1,"result":{}}')
  })

  test.for(['notifications/initialized', 'notifications/cancelled', 'notifications/unknown'])(
    '%s is accepted without a body',
    async (method) => {
      const { send } = createLegacyServer()
      const reply = await send(toLegacyPost(url, toLegacyNotification(method)))
      expect(reply).toMatchObject({ status: 202, text: '' })
    },
  )

  test.for([
    ['an unknown method', 'tools/remove', {}, -32601],
    ['a method of revision 2026-07-28', 'server/discover', {}, -32601],
    ['another one', 'subscriptions/listen', { notifications: {} }, -32601],
    ['an unknown tool', 'tools/call', { name: 'no' }, -32602],
    ['parameters that are wrong', 'tools/call', { name: 1 }, -32602],
    ['an unknown resource', 'resources/read', { uri: 'page://two' }, -32002],
    ['a wrong level', 'logging/setLevel', { level: 'loud' }, -32602],
    ['a wrong progress token', 'ping', { _meta: { progressToken: {} } }, -32602],
  ] as const)('%s is a JSON-RPC error with status 200', async ([, method, params, code]) => {
    const { status, body } = await createLegacyServer().ask(method, params)
    expect({ status, body }).toMatchObject({ status: 200, body: { id: 1, error: { code } } })
  })

  test('an unknown method lists no revisions, which clients of this era cannot use', async () => {
    const { body } = await createLegacyServer().ask('tools/remove')
    expect(body.error).not.toHaveProperty('data')
  })

  test.for([
    ['text', '"Hello"'],
    ['null', 'null'],
    ['an object without a method', '{"jsonrpc":"2.0","id":1}'],
    ['another version of JSON-RPC', '{"jsonrpc":"1.0","id":1,"method":"ping"}'],
    ['an id that is null', '{"jsonrpc":"2.0","id":null,"method":"ping"}'],
    ['parameters in an array', '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}'],
    ['a response to a question that is not open', '{"jsonrpc":"2.0","id":"x","result":{}}'],
  ] as const)('%s is refused with status 400', async ([, text]) => {
    const { send } = createLegacyServer()
    const { status, body } = await send(toLegacyPost(url, text))
    expect({ status, body }).toMatchObject({ status: 400, body: { error: { code: -32600 } } })
  })

  test('a number that parsing changed is told to the model', async () => {
    const call = toLegacyBody('tools/call', { name: 'count', arguments: { n: 7 } })
    const { send } = createLegacyServer()
    const reply = await send(toLegacyPost(url, call.replace('"n":7', '"n":9007199254740993')))
    expect(JSON.stringify(reply.body)).toContain('9007199254740993 is too large to be read exactly')
  })
})

describe('a batch', () => {
  test('is answered with an array in the order of its requests', async () => {
    const { status, headers, body } = await createLegacyServer().batch([
      toEcho('one', 1),
      toLegacyNotification('notifications/initialized'),
      ping('two'),
      toLegacyBody('tools/remove', {}, 3),
    ])
    expect(status).toBe(200)
    expect(headers.get('Content-Type')).toBe('application/json')
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(body).toMatchObject([
      { id: 1, result: { content: [{ type: 'text' }] } },
      { id: 'two', result: {} },
      { id: 3, error: { code: -32601 } },
    ])
    expect(body).toHaveLength(3)
  })

  test('of a client without a version header is of revision 2025-03-26', async () => {
    const headers = { 'MCP-Protocol-Version': null }
    const { body } = await createLegacyServer().batch([ping()], { headers })
    expect(body).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }])
  })

  test('of a session of that revision needs no version header', async () => {
    const { send, batch } = createLegacyServer()
    const begun = await send(toInitialize(url, '2025-03-26'))
    const session = begun.headers.get('Mcp-Session-Id')
    const headers = { 'MCP-Protocol-Version': null }
    expect(await batch([ping()], { session, headers })).toMatchObject({ status: 200 })
  })

  test.for(['2025-11-25', '2025-06-18', '2024-11-05'] as const)(
    'is refused at %s',
    async (version) => {
      const reply = await createLegacyServer().batch([ping()], { version })
      expect(reply).toMatchObject({ status: 400, body: { error: { code: -32600 } } })
      expect(reply.body.error.message).toContain('revision 2025-03-26 only')
    },
  )

  test('is refused with a message of revision 2026-07-28', async () => {
    const reply = await createLegacyServer().batch([ping(), toModernBody('tools/list')])
    expect(reply.status).toBe(400)
    expect(reply.body.error.message).toContain('revision 2025-03-26 only')
  })

  test('is refused if it is empty, too long, or has `initialize`', async () => {
    const { batch } = createLegacyServer()
    const many = (count: number) => Array.from({ length: count }, (_, index) => ping(index))
    expect((await batch([])).body.error.message).toContain('the batch is empty')
    const { status, body } = await batch(many(101))
    expect(status).toBe(400)
    expect(body.error.message).toContain('the batch has 101 messages, and may have 100')
    expect((await batch(many(100))).body).toHaveLength(100)
    const begins = await batch([ping(), toLegacyBody('initialize', {}, 2)])
    expect(begins.status).toBe(400)
    expect(begins.body.error.message).toContain('Send it alone')
  })

  test('of notifications has no response', async () => {
    const notification = toLegacyNotification('notifications/initialized')
    const reply = await createLegacyServer().batch([notification, notification])
    expect(reply).toMatchObject({ status: 202, text: '' })
  })

  test('of responses that cannot be accepted gets an error status, and beside a request none', async () => {
    const { batch } = createLegacyServer()
    const answer = JSON.stringify({ jsonrpc: '2.0', id: 'x', result: {} })
    const refused = await batch([toLegacyNotification('notifications/initialized'), answer])
    expect(refused).toMatchObject({ status: 400, body: { error: { code: -32600 } } })
    expect(await batch([answer, ping()])).toMatchObject({ status: 200, body: [{ id: 1 }] })
  })

  test('answers each entry that is not a message', async () => {
    const { status, body } = await createLegacyServer().batch([
      '1',
      'null',
      `[${ping()}]`,
      '{"jsonrpc":"1.0","id":4,"method":"ping"}',
      '{"jsonrpc":"2.0","id":{},"method":"ping"}',
      ping(6),
    ])
    expect(status).toBe(200)
    const refused = { jsonrpc: '2.0', error: { code: -32600, message: expect.any(String) } }
    expect(body).toEqual([
      refused,
      refused,
      {
        ...refused,
        error: { code: -32600, message: expect.stringContaining('must not contain another batch') },
      },
      { ...refused, id: 4 },
      refused,
      { jsonrpc: '2.0', id: 6, result: {} },
    ])
  })

  test('has no response to a response', async () => {
    const { body } = await createLegacyServer().batch([
      '{"jsonrpc":"2.0","id":"forged","result":{}}',
      '{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"no"}}',
      ping(2),
    ])
    expect(body).toEqual([{ jsonrpc: '2.0', id: 2, result: {} }])
  })

  test('refuses only the message with a number that parsing changed', async () => {
    const call = (n: number, id: number) =>
      toLegacyBody('tools/call', { name: 'count', arguments: { n } }, id)
    const { body } = await createLegacyServer().batch([
      call(1, 1),
      call(7, 2).replace('"n":7', '"n":9007199254740993'),
      call(3, 3),
    ])
    expect(body[0].result.content[0].text).toBe('n is 1')
    expect(JSON.stringify(body[1])).toContain('9007199254740993 is too large')
    expect(body[2].result.content[0].text).toBe('n is 3')
  })

  test('goes on when a tool throws', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const breaks = toLegacyBody('tools/call', { name: 'breaks' }, 1)
    const { body, text } = await createLegacyServer().batch([breaks, ping(2)])
    expect(body).toMatchObject([{ id: 1 }, { id: 2, result: {} }])
    expect(text).not.toContain('hunter2')
  })

  test('stops when its results are larger than one result may be', async () => {
    const { batch } = createLegacyServer({ options: { maxResultBytes: 50_000 } })
    const large = (id: number) => toLegacyBody('tools/call', { name: 'large' }, id)
    const { body } = await batch(Array.from({ length: 30 }, (_, index) => large(index)))
    expect(body).toHaveLength(30)
    expect(body[9]).toMatchObject({ id: 9, result: { content: [{ type: 'text' }] } })
    for (const { error } of body.slice(10)) {
      expect(error.message).toContain('larger than 50000 bytes, so this request was not served')
    }
  })

  test('comes as one event to a client that accepts nothing else', async () => {
    const headers = { Accept: 'text/event-stream' }
    const reply = await createLegacyServer().batch([ping(1), ping(2)], { headers })
    expect(reply.headers.get('Content-Type')).toBe('text/event-stream')
    expect(reply.text).toMatch(/data: \[\{"jsonrpc":"2.0","id":1,.*"id":2,.*\]\n\n$/)
  })

  test('of a web page can be read by it', async () => {
    const { batch } = createLegacyServer()
    const headers = { Origin: origin }
    const notification = toLegacyNotification('notifications/initialized')
    for (const messages of [[ping()], [notification]]) {
      // oxlint-disable-next-line no-await-in-loop -- two
      const reply = await batch(messages, { headers })
      expect(reply.headers.get('Access-Control-Allow-Origin')).toBe(origin)
      expect(reply.headers.get('MCP-Protocol-Version')).toBe('2025-03-26')
      expect(reply.headers.get('Vary')).toBe('Origin')
    }
  })

  test('counts each message', async () => {
    let left = 3
    const limit = async () => ({ success: left-- > 0 })
    const options: object = { limit: 'CALLS' }
    const { batch } = createLegacyServer({ options, bindings: { CALLS: { limit } } })
    const notification = toLegacyNotification('notifications/initialized')
    const { status, body } = await batch([ping(1), notification, ping(3), ping(4), notification])
    expect(status).toBe(200)
    expect(body).toMatchObject([
      { id: 1, result: {} },
      { id: 3, result: {} },
      { id: 4, error: { code: 429 } },
    ])
    expect(body).toHaveLength(3)
    expect(left).toBe(-2)
  })
})

describe('the audit log', () => {
  /** The lines of what is sent. */
  async function linesOf(
    send: (server: ReturnType<typeof createLegacyServer>) => Promise<unknown>,
  ) {
    const written = vi.spyOn(console, 'log').mockImplementation(() => {})
    await send(createLegacyServer({ options: { audit: {} } }))
    return written.mock.calls.map(([line]) => {
      const { method, revision, outcome, status, id } = JSON.parse(String(line))
      return [method, revision, outcome, status, id]
    })
  }

  test('has the revision of each era', async () => {
    const lines = await linesOf(async ({ ask, send }) => {
      await ask('ping')
      await ask('tools/list', {}, { version: '2024-11-05' })
      await send(toInitialize(url, '2025-06-18'))
      await send(toInitialize(url, '2026-07-28'))
      await send(toModernRequest(url, 'tools/list'))
    })
    expect(lines).toEqual([
      ['ping', '2025-11-25', 'complete', 200, 1],
      ['tools/list', '2024-11-05', 'complete', 200, 1],
      ['initialize', '2025-06-18', 'complete', 200, 1],
      ['initialize', '2025-11-25', 'complete', 200, 1],
      ['tools/list', '2026-07-28', 'complete', 200, 1],
    ])
  })

  test('has one line for whatever is refused', async () => {
    const lines = await linesOf(async ({ ask, send, batch }) => {
      await ask('ping', {}, { session: 'forged' })
      await ask('ping', {}, { headers: { 'MCP-Protocol-Version': '1.0' } })
      await ask('tools/remove')
      await send(toInitialize(url, '2025-11-25', Object([])))
      await send(toLegacyPost(url, toLegacyNotification('initialize')))
      await batch([])
    })
    expect(lines).toEqual([
      ['POST /mcp', '2025-11-25', 'session-not-found', 404, 1],
      ['POST /mcp', '1.0', 'unsupported-version', 400, 1],
      ['tools/remove', '2025-11-25', 'unknown-method', 200, 1],
      ['initialize', '2025-11-25', 'invalid-params', 200, 1],
      ['initialize', '2025-11-25', 'complete', 202, undefined],
      ['POST /mcp', '2025-03-26', 'invalid-request', 400, undefined],
    ])
  })

  test('has one line for each message of a batch', async () => {
    const lines = await linesOf(({ batch }) =>
      batch([ping(1), toLegacyNotification('notifications/initialized'), '7', ping(2)]),
    )
    // in the order in which they end
    expect(new Set(lines)).toEqual(
      new Set([
        ['ping', '2025-03-26', 'complete', 200, 1],
        ['notifications/initialized', '2025-03-26', 'complete', 202, undefined],
        ['POST /mcp', '2025-03-26', 'invalid-request', 400, undefined],
        ['ping', '2025-03-26', 'complete', 200, 2],
      ]),
    )
    expect(lines).toHaveLength(4)
  })
})
