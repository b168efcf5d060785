import { exports } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { defineResource, defineTool } from 'helve'
import { toModernRequest } from '../support/modern-request.ts'
import { createServer, url } from './server.ts'

const { worker, ask, context } = createServer(
  {},
  {
    hello: defineTool({ description: 'Says hello.', run: () => 'hello' }),
    notes: defineResource({ uri: 'test://notes', mime: 'text/plain', read: () => 'notes' }),
    orders: defineResource({ uri: 'test://orders/{id}', mime: 'text/plain', read: () => 'order' }),
  },
)
const notify = worker.notify(exports)
const subscriptionId = 'io.modelcontextprotocol/subscriptionId'

type Message = ReturnType<typeof JSON.parse>

/** Listens, and reads one message after the other; comments are passed over. */
async function listen(id: unknown, notifications: object) {
  const params = { notifications }
  const request = toModernRequest(url, 'subscriptions/listen', params, { id })
  const { body, headers } = await worker.fetch(request, ...context())
  const reader = (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const next = async (): Promise<Message> => {
    const end = text.indexOf('\n\n')
    const event = text.slice(0, end)
    if (end !== -1) text = text.slice(end + 2)
    if (end !== -1 && event.startsWith('data: ')) return JSON.parse(event.slice(6))
    if (end === -1) {
      const { value, done } = await reader.read()
      if (done) throw new Error('the stream has ended')
      text += value
    }
    return next()
  }
  return { next, headers, leave: () => reader.cancel() }
}

// https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
describe('subscriptions/listen', () => {
  test.each([7, 'seven', '7'])(
    'MUST be acknowledged first, with the id and its type: %j',
    async (id) => {
      const { next, headers, leave } = await listen(id, { toolsListChanged: true })
      expect(headers.get('Content-Type')).toBe('text/event-stream')
      expect(headers.get('X-Accel-Buffering')).toBe('no')
      expect(await next()).toEqual({
        jsonrpc: '2.0',
        method: 'notifications/subscriptions/acknowledged',
        params: { _meta: { [subscriptionId]: id }, notifications: { toolsListChanged: true } },
      })
      await leave()
    },
  )

  test('acknowledges only what the server has', async () => {
    const { next, leave } = await listen(1, {
      toolsListChanged: true,
      promptsListChanged: true,
      resourcesListChanged: false,
      resourceSubscriptions: ['test://notes', 'test://orders/5', 'test://nothing'],
      unknown: true,
    })
    expect((await next()).params.notifications).toEqual({
      toolsListChanged: true,
      resourceSubscriptions: ['test://notes', 'test://orders/5'],
    })
    await leave()
  })

  test('MUST NOT get notifications that it did not ask for', async () => {
    const tools = await listen('tools', { toolsListChanged: true })
    const notes = await listen('notes', { resourceSubscriptions: ['test://notes'] })
    await Promise.all([tools.next(), notes.next()])
    await notify.resourceUpdated('test://orders/5')
    await notify.resourceUpdated('test://notes')
    await notify.toolsChanged()
    expect(await tools.next()).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/tools/list_changed',
      params: { _meta: { [subscriptionId]: 'tools' } },
    })
    expect(await notes.next()).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/resources/updated',
      params: { _meta: { [subscriptionId]: 'notes' }, uri: 'test://notes' },
    })
    await Promise.all([tools.leave(), notes.leave()])
  })

  test('gets a notification in every stream of an isolate', async () => {
    const listeners = await Promise.all(
      [1, 2, 3, 4].map((id) => listen(id, { toolsListChanged: true })),
    )
    await Promise.all(listeners.map(({ next }) => next()))
    await notify.toolsChanged()
    const heard = await Promise.all(listeners.map(({ next }) => next()))
    expect(heard.map(({ params }) => params._meta[subscriptionId])).toEqual([1, 2, 3, 4])
    await Promise.all(listeners.map(({ leave }) => leave()))
  })

  test.each([
    [null],
    ['x'],
    [[]],
    [{ toolsListChanged: 'yes' }],
    [{ resourceSubscriptions: 'test://notes' }],
  ])('is refused with -32602 for an invalid filter: %j', async (notifications) => {
    expect((await ask('subscriptions/listen', { notifications })).body.error.code).toBe(-32602)
  })

  test('is refused if the client does not accept streams', async () => {
    const { status, body } = await ask(
      'subscriptions/listen',
      { notifications: { toolsListChanged: true } },
      { headers: { Accept: 'application/json' } },
    )
    expect([status, body.id]).toEqual([406, 1])
  })

  test('is declared in the capabilities', async () => {
    expect((await ask('server/discover')).body.result.capabilities).toMatchObject({
      tools: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
    })
  })
})
