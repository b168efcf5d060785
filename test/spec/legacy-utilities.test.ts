import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { definePrompt, defineResource, defineTool } from 'helve'
import {
  type LegacyChanges,
  legacyVersions,
  toLegacyNotification,
  toLegacyRequest,
} from '../support/legacy-request.ts'
import { readEvents } from '../support/sse-events.ts'
import { createServer, url } from './server.ts'

const description = 'An entry of this test.'
const { askLegacy, initialize, postLegacy, fetch } = createServer(
  { page: 2 },
  {
    steps: defineTool({
      description,
      run({ progress, log }) {
        progress(0, 100, 'begun')
        log.debug('looking', { step: 1 })
        progress(50, 100)
        progress(50, 100)
        log.warning('slow')
        progress(99.5)
        return 'done'
      },
    }),
    late: defineTool({
      description,
      run({ progress }) {
        setTimeout(() => progress(100), 1)
        progress(1)
        return 'done'
      },
    }),
    waits: defineTool({
      description,
      timeout: '20s',
      async run({ signal, progress }) {
        progress(1)
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        return 'stopped'
      },
    }),
    plan: definePrompt({
      description,
      input: z.object({ city: z.string(), style: z.string().optional() }),
      complete: { city: ({ value, chosen }) => [`${value}burg`, chosen.style ?? 'none'] },
      messages: () => 'Plan it.',
    }),
    orders: defineResource({
      uri: 'test://orders/{id}',
      mime: 'text/plain',
      complete: { id: () => ['1', '2'] },
      read: () => 'order',
    }),
  },
)

/** Calls a tool, and reads all messages of its response. */
async function call(name: string, meta: object, changes: LegacyChanges = {}) {
  const request = toLegacyRequest(url, 'tools/call', { name, _meta: meta }, changes)
  return readEvents(await fetch(request)).messages()
}

// https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/ping
describe('basic/utilities/ping', () => {
  test.each(legacyVersions)('MUST be answered with an empty result: %s', async (version) => {
    const { status, body } = await askLegacy('ping', undefined, { version, id: '123' })
    expect([status, body]).toEqual([200, { jsonrpc: '2.0', id: '123', result: {} }])
  })

  test('is answered with and without a session', async () => {
    const session = await initialize()
    expect((await askLegacy('ping', {}, { session })).body.result).toEqual({})
  })
})

// https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/progress
describe('basic/utilities/progress', () => {
  const progressOf = (messages: readonly { method?: string; params: unknown }[]) =>
    messages.filter(({ method }) => method === 'notifications/progress').map((one) => one.params)

  test.each(['abc', 7, 0, ''])(
    'has the token of the request with its JSON type, and MUST increase: %j',
    async (progressToken) => {
      expect(progressOf(await call('steps', { progressToken }))).toEqual([
        { progressToken, progress: 0, total: 100, message: 'begun' },
        { progressToken, progress: 50, total: 100 },
        { progressToken, progress: 99.5 },
      ])
    },
  )

  test('has messages since 2025-03-26', async () => {
    const [older, newer] = await Promise.all([
      call('steps', { progressToken: 1 }, { version: '2024-11-05' }),
      call('steps', { progressToken: 1 }, { version: '2025-03-26' }),
    ])
    expect(progressOf(older)[0]).toEqual({ progressToken: 1, progress: 0, total: 100 })
    expect(progressOf(newer)[0]).toHaveProperty('message')
  })

  test('is not sent without a token', async () => {
    const { headers, body } = await askLegacy('tools/call', { name: 'steps' })
    expect(headers.get('Content-Type')).toBe('application/json')
    expect(body.result.content[0].text).toBe('done')
  })

  test('MUST stop after completion', async () => {
    expect(progressOf(await call('late', { progressToken: 1 }))).toHaveLength(1)
  })
})

// https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/cancellation
describe('basic/utilities/cancellation', () => {
  const cancel = (requestId: unknown, changes: LegacyChanges = {}) =>
    postLegacy(toLegacyNotification('notifications/cancelled', { requestId }), changes)

  test('stops the request, and no response SHOULD be sent for it', async () => {
    const session = await initialize()
    const params = { name: 'waits', _meta: { progressToken: 1 } }
    const request = toLegacyRequest(url, 'tools/call', params, { session, id: 'c1' })
    const { nextMessage, messages } = readEvents(await fetch(request))
    expect(await nextMessage()).toMatchObject({ method: 'notifications/progress' })
    const { status, text } = await cancel('c1', { session })
    expect([status, text]).toEqual([202, ''])
    expect(await messages()).toEqual([])
  })

  test('of another session stops nothing', async () => {
    const [session, other] = await Promise.all([initialize(), initialize()])
    const params = { name: 'waits', _meta: { progressToken: 1 } }
    const request = toLegacyRequest(url, 'tools/call', params, { session, id: 'c2' })
    const { nextMessage, messages } = readEvents(await fetch(request))
    await nextMessage()
    expect((await cancel('c2', { session: other })).status).toBe(202)
    expect((await cancel('c2')).status).toBe(202)
    const ended = messages()
    const first = await Promise.race([ended, scheduler.wait(100).then(() => 'running')])
    expect(first).toBe('running')
    await cancel('c2', { session })
    expect(await ended).toEqual([])
  })

  test.each(['unknown', 99, null, {}, undefined])(
    'of an unknown or a malformed id SHOULD be ignored: %j',
    async (requestId) => {
      const session = await initialize()
      const { status, text } = await cancel(requestId, { session })
      expect([status, text]).toEqual([202, ''])
    },
  )
})

// https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/logging
describe('server/utilities/logging', () => {
  const setLevel = (level: unknown, changes: LegacyChanges = {}) =>
    askLegacy('logging/setLevel', { level }, changes)
  const logsOf = (messages: readonly { method?: string; params: unknown }[]) =>
    messages.filter(({ method }) => method === 'notifications/message').map((one) => one.params)
  const meta = { progressToken: 1 }

  test.each(['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'])(
    'setLevel returns an empty result: %s',
    async (level) => {
      const session = await initialize()
      const { status, body } = await setLevel(level, { session, id: 1 })
      expect([status, body]).toEqual([200, { jsonrpc: '2.0', id: 1, result: {} }])
    },
  )

  test.each(['loud', 'DEBUG', '', null, 5, undefined])(
    'an invalid level SHOULD get -32602: %j',
    async (level) => {
      const { status, body } = await setLevel(level, { session: await initialize() })
      expect([status, body.error.code]).toEqual([200, -32602])
    },
  )

  test('messages have a level, a logger and data', async () => {
    const session = await initialize()
    await setLevel('debug', { session })
    expect(logsOf(await call('steps', meta, { session }))).toEqual([
      { level: 'debug', logger: 'steps', data: { message: 'looking', detail: { step: 1 } } },
      { level: 'warning', logger: 'steps', data: 'slow' },
    ])
  })

  test('only messages of the level and above are sent', async () => {
    const session = await initialize()
    await setLevel('info', { session })
    const logs = logsOf(await call('steps', meta, { session }))
    expect(logs).toMatchObject([{ level: 'warning' }])
  })

  test('the level may change, and is that of one session', async () => {
    const [session, other] = await Promise.all([initialize(), initialize()])
    await setLevel('debug', { session })
    await setLevel('emergency', { session })
    await setLevel('debug', { session: other })
    expect(logsOf(await call('steps', meta, { session }))).toHaveLength(0)
    expect(logsOf(await call('steps', meta, { session: other }))).toHaveLength(2)
  })

  test('the new session id has the level too', async () => {
    const session = await initialize()
    const { headers } = await setLevel('debug', { session })
    const renewed = headers.get('Mcp-Session-Id')
    expect(renewed).toMatch(/^[\x21-\x7e]+$/)
    expect(logsOf(await call('steps', meta, { session: renewed }))).toHaveLength(2)
  })

  test('no messages are sent before a level was set', async () => {
    const session = await initialize()
    expect(logsOf(await call('steps', meta, { session }))).toEqual([])
  })
})

// https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/completion
describe('server/utilities/completion', () => {
  const complete = (ref: object, argument: object, more: object = {}, changes?: LegacyChanges) =>
    askLegacy('completion/complete', { ref, argument, ...more }, changes)
  const plan = { type: 'ref/prompt', name: 'plan' }

  test.each(legacyVersions)('completes an argument of a prompt: %s', async (version) => {
    const { body } = await complete(plan, { name: 'city', value: 'Ham' }, {}, { version })
    expect(body.result).toEqual({
      completion: { values: ['Hamburg', 'none'], total: 2, hasMore: false },
    })
  })

  test('knows the arguments that were chosen before', async () => {
    const context = { arguments: { style: 'festive' } }
    const { body } = await complete(plan, { name: 'city', value: '' }, { context })
    expect(body.result.completion.values).toEqual(['burg', 'festive'])
  })

  test('completes a parameter of a resource template', async () => {
    const ref = { type: 'ref/resource', uri: 'test://orders/{id}' }
    const { body } = await complete(ref, { name: 'id', value: '' })
    expect(body.result.completion.values).toEqual(['1', '2'])
  })

  test.each([
    ['an unknown prompt', { type: 'ref/prompt', name: 'nope' }, { name: 'city', value: '' }],
    ['a missing argument', plan, {}],
  ])('SHOULD get -32602: %s', async (_, ref, argument) => {
    const { status, body } = await complete(ref, argument)
    expect([status, body.error.code]).toEqual([200, -32602])
  })

  test('SHOULD get -32601 where the server has none', async () => {
    const { askLegacy: askBare } = createServer()
    const { status, body } = await askBare('completion/complete', { ref: plan, argument: {} })
    expect([status, body.error.code]).toEqual([200, -32601])
  })
})

// https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/pagination
describe('server/utilities/pagination', () => {
  test.each(legacyVersions)(
    'a page has a cursor, with which the next one is requested: %s',
    async (version) => {
      const first = (await askLegacy('tools/list', {}, { version })).body.result
      const cursor = first.nextCursor
      const { body } = await askLegacy('tools/list', { cursor }, { version })
      const names = [...first.tools, ...body.result.tools].map(({ name }) => name)
      expect(names).toEqual(['late', 'steps', 'waits'])
      expect(body.result).not.toHaveProperty('nextCursor')
    },
  )

  test.each(legacyVersions)(
    'the cursor null, of clients without one, is the first page: %s',
    async (version) => {
      const { body } = await askLegacy('tools/list', { cursor: null }, { version })
      expect(body.result).toEqual((await askLegacy('tools/list', {}, { version })).body.result)
      expect(body.result).toHaveProperty('nextCursor')
    },
  )

  test.each(['nope', '', 0, {}])('an invalid cursor SHOULD get -32602: %j', async (cursor) => {
    const { status, body } = await askLegacy('tools/list', { cursor })
    expect([status, body.error.code]).toEqual([200, -32602])
  })
})
