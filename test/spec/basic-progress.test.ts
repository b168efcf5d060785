import { describe, expect, test } from 'vitest'
import { defineTool } from 'helve'
import { createServer, type Reply } from './server.ts'

const description = 'A tool of this test.'
const { ask } = createServer(
  {},
  {
    steps: defineTool({
      description,
      async run({ progress, log }) {
        progress(0, 100, 'begun')
        log.debug('looking')
        progress(50, 100)
        progress(50, 100)
        progress(10)
        log.warning('slow', { seconds: 3 })
        await scheduler.wait(5)
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
  },
)

type Message = ReturnType<typeof JSON.parse>

function messagesOf({ text }: Reply): Message[] {
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data))
}

const call = (name: string, meta: object = {}, headers: Record<string, string> = {}) =>
  ask('tools/call', { name }, { meta: { ...meta }, headers })

// https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/progress
describe('progress', () => {
  test.each(['abc', 7, 0, ''])(
    'has the token with its JSON type, and MUST increase: %j',
    async (progressToken) => {
      const reply = await call('steps', { progressToken })
      const messages = messagesOf(reply)
      expect(reply.headers.get('Content-Type')).toBe('text/event-stream')
      expect(messages.slice(0, -1)).toEqual([
        {
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken, progress: 0, total: 100, message: 'begun' },
        },
        {
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken, progress: 50, total: 100 },
        },
        {
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken, progress: 99.5 },
        },
      ])
      expect(messages.at(-1)).toMatchObject({ id: 1, result: { content: [{ text: 'done' }] } })
    },
  )

  test('is not sent without a progressToken', async () => {
    const { headers, body } = await call('steps')
    expect(headers.get('Content-Type')).toBe('application/json')
    expect(body.result.content[0].text).toBe('done')
  })

  test('MUST stop after completion', async () => {
    const messages = messagesOf(await call('late', { progressToken: 1 }))
    expect(messages.map(({ params }) => params?.progress)).toEqual([1, undefined])
  })

  test('is not sent to a client that does not accept streams', async () => {
    const { headers, body } = await call(
      'steps',
      { progressToken: 1 },
      { Accept: 'application/json' },
    )
    expect(headers.get('Content-Type')).toBe('application/json')
    expect(body.result.content[0].text).toBe('done')
  })

  test.each([1.5, null, true, {}])(
    'a token that is neither a string nor an integer is refused: %j',
    async (progressToken) => {
      // null leaves a key out of `_meta` in these tests, so it goes the long way
      const { status, body } = await ask(
        'tools/call',
        { name: 'steps' },
        { meta: { progressToken: progressToken ?? [] } },
      )
      expect([status, body.error.code]).toEqual([400, -32602])
    },
  )
})

const logLevel = 'io.modelcontextprotocol/logLevel'

// https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/logging
describe('logging', () => {
  const dataOf = (reply: Reply) =>
    messagesOf(reply)
      .filter(({ method }) => method === 'notifications/message')
      .map(({ params }) => params)

  test('sends messages at or above the level of the request', async () => {
    expect(dataOf(await call('steps', { [logLevel]: 'debug' }))).toEqual([
      { level: 'debug', logger: 'steps', data: 'looking' },
      { level: 'warning', logger: 'steps', data: { message: 'slow', detail: { seconds: 3 } } },
    ])
    expect(dataOf(await call('steps', { [logLevel]: 'warning' }))).toHaveLength(1)
    expect(dataOf(await call('steps', { [logLevel]: 'error' }))).toEqual([])
  })

  test('MUST NOT be sent without a level in the request', async () => {
    expect(dataOf(await call('steps', { progressToken: 1 }))).toEqual([])
  })

  test('an unknown level SHOULD be refused', async () => {
    const { status, body } = await call('steps', { [logLevel]: 'loud' })
    expect([status, body.error.code]).toEqual([400, -32602])
  })

  test('the capability MUST be declared', async () => {
    expect((await ask('server/discover')).body.result.capabilities).toHaveProperty('logging')
  })
})
