import { describe, expect, test, vi } from 'vitest'
import { toExchange } from '../exchange.ts'
import { type ListenSettings, createListen } from '../../../src/mcp/subscriptions.ts'
import type { Delivery, Listener } from '../../../src/objects/hub-listener.ts'
import type { ServerNotification } from '../../../src/protocol/message.ts'
import { toRpcError } from '../../../src/protocol/failure.ts'

/** A hub whose end of the connection is in the test's hands. */
function createHubStub() {
  const { promise: closed, resolve: close } = Promise.withResolvers<void>()
  const joined: Listener[] = []
  const stub = { joined, close, closed, tell: (_delivery: Delivery): void => {} }
  const forward = (onDelivery: (delivery: Delivery) => void): Promise<void> => {
    stub.tell = onDelivery
    return closed
  }
  const join: ReturnType<ListenSettings['hub']>['join'] = (listener) => {
    joined.push(listener)
    return Promise.resolve({ forward, close })
  }
  return { ...stub, join, tell: (delivery: Delivery) => stub.tell(delivery) }
}

/** A stream that keeps what was sent, with as much unread as the test says. */
function createStream(unread = 0) {
  const sent: ServerNotification[] = []
  const gone = new AbortController()
  const state = { unread }
  return {
    sent,
    state,
    leave: () => gone.abort(),
    send: (notification: ServerNotification) => void sent.push(notification),
    backlog: () => state.unread,
    signal: gone.signal,
  }
}

function ask(
  notifications: unknown,
  changes: Partial<ListenSettings> = {},
  id: string | number = 1,
) {
  const hub = createHubStub()
  const request = new AbortController()
  const listen = createListen({
    hub: () => hub,
    lists: ['tools', 'resources'],
    canSee: async (uri) => uri.startsWith('shop://'),
    rightsOf: () => ({ scopes: ['read'] }),
    digest: 'v1',
    maxAge: 60_000,
    ...changes,
  })
  const outcome = listen(
    { kind: 'request', id, method: 'subscriptions/listen', params: { notifications } },
    toExchange({ signal: request.signal }),
  )
  return { hub, request, outcome }
}

async function refusal(notifications: unknown, changes: Partial<ListenSettings> = {}) {
  const outcome = await ask(notifications, changes).outcome
  return outcome.kind === 'failure' ? toRpcError(outcome.failure) : outcome
}

async function open(notifications: unknown, changes: Partial<ListenSettings> = {}, unread = 0) {
  const asked = ask(notifications, changes, 'seven')
  const outcome = await asked.outcome
  if (outcome.kind !== 'stream') throw new TypeError(`Not a stream: ${JSON.stringify(outcome)}`)
  const stream = createStream(unread)
  return { ...asked, stream, result: outcome.run(stream) }
}

const meta = { 'io.modelcontextprotocol/subscriptionId': 'seven' }
const cancelled = { method: 'notifications/cancelled', params: { requestId: 'seven', _meta: meta } }

describe('what is refused', () => {
  const flag = 'params.notifications.toolsListChanged must be true or false.'
  const array = 'params.notifications.resourceSubscriptions must be an array of URIs.'
  const object = 'params.notifications must be an object that says what to listen for.'

  test.for<[unknown, string]>([
    [undefined, object],
    [null, object],
    [[], object],
    ['tools', object],
    [{ toolsListChanged: 'yes' }, flag],
    [{ toolsListChanged: null }, flag],
    [{ resourceSubscriptions: 'shop://a' }, array],
    [{ resourceSubscriptions: ['shop://a', 1] }, array],
    [{ resourceSubscriptions: {} }, array],
  ])('%j with a sentence', async ([notifications, message]) => {
    expect(await refusal(notifications)).toEqual({ status: 200, code: -32602, message })
  })

  test('more than 100 resources in one request', async () => {
    const uris = Array.from({ length: 101 }, (_, n) => `shop://${n}`)
    expect(await refusal({ resourceSubscriptions: uris })).toMatchObject({
      code: -32602,
      message: expect.stringContaining('has 101 URIs. Listen for at most 100'),
    })
  })

  test('subscriptions that the hub has no room for', async () => {
    const uris = [`shop://${'ü'.repeat(3_000)}`]
    expect(await refusal({ resourceSubscriptions: uris })).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/take 18\d{3} bytes, and one request may take 16000\./),
    })
  })

  test('everything while the hub is out of reach, with the cause in the log only', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue()
    const hub = { join: () => Promise.reject(new Error('secret host')) }
    const answer = await refusal({}, { hub: () => hub })
    expect(answer).toMatchObject({ status: 200, code: -32603 })
    expect(JSON.stringify(answer)).toMatch(/out of reach at the moment.*Error id: [-0-9a-f]{36}\./)
    expect(JSON.stringify(answer)).not.toContain('secret')
    expect(log.mock.lastCall?.[0]).toContain('secret host')
    log.mockRestore()
  })
})

describe('what is acknowledged', () => {
  test.for<[string, unknown, object]>([
    ['nothing when nothing was asked for', {}, {}],
    ['no more than was asked for', { toolsListChanged: true }, { toolsListChanged: true }],
    [
      'not what was declined',
      { toolsListChanged: false, resourcesListChanged: true },
      { resourcesListChanged: true },
    ],
    [
      'no list that the server has not',
      { promptsListChanged: true, toolsListChanged: true },
      { toolsListChanged: true },
    ],
    ['no key that is not known', { agentsListChanged: true, constructor: true }, {}],
    [
      'only resources that can be seen, each once',
      { resourceSubscriptions: ['shop://b', 'file:///etc', 'shop://a', 'shop://b'] },
      { resourceSubscriptions: ['shop://b', 'shop://a'] },
    ],
    ['no resources when none can be seen', { resourceSubscriptions: ['file:///etc'] }, {}],
  ])('%s', async ([, notifications, honoured]) => {
    const { hub, stream, result } = await open(notifications)
    hub.close()
    await result
    expect(stream.sent[0]).toEqual({
      method: 'notifications/subscriptions/acknowledged',
      params: { _meta: meta, notifications: honoured },
    })
  })

  test('the hub learns what is honoured, the scopes and the end', async () => {
    const expires = Date.now() + 5_000
    const notifications = { toolsListChanged: true, resourceSubscriptions: ['shop://a', 'x://'] }
    const { hub } = await open(notifications, { rightsOf: () => ({ scopes: ['read'], expires }) })
    expect(hub.joined).toEqual([
      { lists: ['tools'], uris: ['shop://a'], scopes: ['read'], until: expires, digest: 'v1' },
    ])
    hub.close()
  })
})

test('credentials that have just ended, and were accepted, do not end a stream at once', async () => {
  const expires = Date.now() - 5_000
  const { hub } = await open(
    { toolsListChanged: true },
    { rightsOf: () => ({ scopes: [], expires }) },
  )
  const left = hub.joined.map(({ until }) => until - Date.now())
  expect(left).toEqual([expect.closeTo(30_000, -4)])
  hub.close()
})

describe('an open stream', () => {
  test('forwards changes under its id, then says that it ends and ends', async () => {
    const { hub, stream, result } = await open({ toolsListChanged: true })
    hub.tell({ lists: ['tools'], uris: ['shop://a'] })
    hub.close()
    expect(await result).toEqual({
      members: '',
      meta: '"io.modelcontextprotocol/subscriptionId":"seven"',
    })
    expect(stream.sent.slice(1)).toMatchObject([
      { method: 'notifications/tools/list_changed', params: { _meta: meta } },
      { method: 'notifications/resources/updated', params: { _meta: meta, uri: 'shop://a' } },
      cancelled,
    ])
  })

  test.for<[string, Partial<ListenSettings>]>([
    ['at its age limit', { maxAge: 20 }],
    ['when the credentials end', { rightsOf: () => ({ scopes: [], expires: Date.now() + 20 }) }],
  ])('ends %s', async ([, changes]) => {
    const { stream, result } = await open({ toolsListChanged: true }, changes)
    await result
    expect(stream.sent.at(-1)).toMatchObject(cancelled)
  })

  test('ends for a reader that has fallen behind, and buffers nothing more for it', async () => {
    const { hub, stream, result } = await open({ toolsListChanged: true })
    stream.state.unread = 256 * 1024 + 1
    hub.tell({ lists: ['tools'], uris: [] })
    hub.tell({ lists: ['tools'], uris: [] })
    await result
    expect(stream.sent.slice(1)).toMatchObject([cancelled])
  })

  test('leaves the hub when its client goes', async () => {
    const { hub, stream } = await open({ toolsListChanged: true })
    stream.leave()
    await expect(hub.closed).resolves.toBeUndefined()
  })

  test('leaves the hub when its client goes before it opens', async () => {
    const { hub, request, outcome } = ask({ toolsListChanged: true })
    expect(await outcome).toMatchObject({ kind: 'stream' })
    request.abort()
    await expect(hub.closed).resolves.toBeUndefined()
  })

  test('is over at once when its client is gone already', async () => {
    const { request, outcome } = ask({ toolsListChanged: true })
    const opened = await outcome
    request.abort()
    if (opened.kind !== 'stream') throw new TypeError(`Not a stream: ${JSON.stringify(opened)}`)
    await expect(opened.run(createStream())).resolves.toMatchObject({ members: '' })
  })
})
