import { afterEach, describe, expect, test, vi } from 'vitest'
import { defineResource } from '../../../src/define/resource.ts'
import { defineTool } from '../../../src/define/tool.ts'
import type { Delivery, Listener } from '../../../src/objects/hub-listener.ts'
import type { Caller } from '../../../src/protocol/caller.ts'
import type { ServerNotification } from '../../../src/protocol/message.ts'
import { toRpcError } from '../../../src/protocol/failure.ts'
import type { HubClient } from '../../../src/state/hub.ts'
import { answer, createCall, createSettings, toLogText } from './test-call.ts'

/** A hub whose end of the connection is in the test's hands. */
function createHubStub() {
  const { promise: closed, resolve: close } = Promise.withResolvers<void>()
  const joined: Listener[] = []
  const stub = { joined, close, closed, tell: (_delivery: Delivery): void => {} }
  const forward = (onDelivery: (delivery: Delivery) => void): Promise<void> => {
    stub.tell = onDelivery
    return closed
  }
  const join: HubClient['join'] = (listener) => {
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

const common = { mime: 'text/plain', read: () => '' } as const
const made = {
  plain: defineTool({ description: 'Runs.', run: () => '' }),
  goods: defineResource({ ...common, uri: 'shop://{+path}' }),
  hidden: defineResource({ ...common, uri: 'shop://hidden', visible: () => false }),
  vault: defineResource({ ...common, uri: 'shop://vault', scopes: ['admin'] }),
}
const reader: Caller = { subject: 'ann', scopes: ['read'], claims: {} }

interface Changes {
  readonly caller?: Caller
  readonly join?: HubClient['join']
  readonly id?: string | number
  readonly streams?: boolean
}

function ask(
  notifications: unknown,
  { caller = reader, join, id = 1, streams = true }: Changes = {},
) {
  const hub = createHubStub()
  const request = new AbortController()
  const unused = (): Promise<never> => Promise.reject(new Error('not used here'))
  const client: HubClient = {
    join: join ?? hub.join,
    publish: unused,
    stateKey: unused,
    announce: unused,
  }
  const settings = createSettings(made, { state: { hub: () => client } })
  const { signal } = request
  const call = createCall(
    settings,
    'subscriptions/listen',
    { notifications },
    { caller, signal, streams },
  )
  call.id = id
  return { hub, request, outcome: answer(call) }
}

async function refusal(notifications: unknown, changes: Changes = {}) {
  const outcome = await ask(notifications, changes).outcome
  return outcome.kind === 'failure' ? toRpcError(outcome.failure) : outcome
}

async function open(notifications: unknown, changes: Changes = {}) {
  const asked = ask(notifications, { ...changes, id: 'seven' })
  const outcome = await asked.outcome
  if (outcome.kind !== 'stream') throw new TypeError(`Not a stream: ${JSON.stringify(outcome)}`)
  const stream = createStream()
  return { ...asked, stream, result: outcome.run(stream) }
}

const meta = { 'io.modelcontextprotocol/subscriptionId': 'seven' }
const cancelled = { method: 'notifications/cancelled', params: { requestId: 'seven', _meta: meta } }

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

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

  test('100 resources in one request are not', async () => {
    const uris = Array.from({ length: 100 }, (_, n) => `shop://${n}`)
    expect((await ask({ resourceSubscriptions: uris }).outcome).kind).toBe('stream')
  })

  test('more than 100 resources in one request', async () => {
    const uris = Array.from({ length: 101 }, (_, n) => `shop://${n}`)
    expect(await refusal({ resourceSubscriptions: uris })).toMatchObject({
      code: -32602,
      message: expect.stringContaining('has 101 URIs. Listen for at most 100'),
    })
  })

  test('subscriptions that the hub has no room for', async () => {
    const uris = Array.from({ length: 100 }, (_, n) => `shop://${'long/'.repeat(36)}${n}`)
    expect(await refusal({ resourceSubscriptions: uris })).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/take 19\d{3} bytes, and one request may take 16000\./),
    })
  })

  test('a client that takes no stream, before the hub is joined: nothing would leave it again', async () => {
    const { hub, outcome } = ask({ toolsListChanged: true }, { streams: false })
    expect(await outcome).toMatchObject({ failure: { kind: 'not-acceptable' } })
    expect(hub.joined).toEqual([])
  })

  test('everything while the hub cannot be reached, with the cause in the log only', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue()
    const join = () => Promise.reject(new Error('secret host'))
    const refused = await refusal({}, { join })
    expect(refused).toMatchObject({ status: 200, code: -32603 })
    expect(JSON.stringify(refused)).toMatch(
      /not available at the moment.*Error id: [-0-9a-f]{36}\./,
    )
    expect(JSON.stringify(refused)).not.toContain('secret')
    expect(toLogText(log.mock.calls)).toContain('secret host')
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
      {
        resourceSubscriptions: [
          'shop://b',
          'file:///etc',
          'shop://hidden',
          'shop://vault',
          'shop://a',
          'shop://b',
        ],
      },
      { resourceSubscriptions: ['shop://b', 'shop://a'] },
    ],
    [
      'no other spelling of a resource that cannot be seen',
      {
        resourceSubscriptions: [
          'shop://%76ault',
          'SHOP://Vault',
          'shop://vault/',
          'shop://hidde%6E',
        ],
      },
      {},
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
    const { hub } = await open(notifications, { caller: { ...reader, expires } })
    expect(hub.joined).toEqual([
      { lists: ['tools'], uris: ['shop://a'], scopes: ['read'], until: expires, digest: 'test' },
    ])
    hub.close()
  })
})

test('each spelling of a resource is notified as the client wrote it', async () => {
  const uris = ['SHOP://a@b', 'shop://a%40b', 'shop://%61@b']
  const { hub, stream, result } = await open({ resourceSubscriptions: uris })
  expect(hub.joined).toMatchObject([{ uris: ['shop://a%40b'] }])
  hub.tell({ lists: [], uris: ['shop://a%40b'] })
  hub.close()
  await result
  const updated = stream.sent.filter(({ method }) => method === 'notifications/resources/updated')
  expect(updated.map(({ params }) => params?.['uri'])).toEqual(uris)
})

test('credentials that have just ended, and were accepted, do not end a stream at once', async () => {
  const expires = Date.now() - 5_000
  const { hub } = await open({ toolsListChanged: true }, { caller: { ...reader, expires } })
  const left = hub.joined.map(({ until }) => until - Date.now())
  expect(left).toEqual([expect.closeTo(30_000, -4)])
  hub.close()
})

describe('an open stream', () => {
  test('forwards changes under its id, then says that it ends and ends', async () => {
    const listening = { toolsListChanged: true, resourceSubscriptions: ['shop://a'] }
    const { hub, stream, result } = await open(listening)
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

  test.for<[string, number | null, number]>([
    ['after an hour', null, 3_600_000],
    ['when the credentials end', 5_000, 5_000],
    ['after an hour, where the credentials last longer', 7_200_000, 3_600_000],
  ])('ends %s', async ([, lifetime, ends]) => {
    vi.useFakeTimers()
    const caller = lifetime === null ? reader : { ...reader, expires: Date.now() + lifetime }
    const { stream, result } = await open({ toolsListChanged: true }, { caller })
    await vi.advanceTimersByTimeAsync(ends - 1)
    expect(stream.sent).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    await result
    expect(stream.sent.at(-1)).toMatchObject(cancelled)
  })

  test('ends for a client that reads too slowly, and buffers nothing more for it', async () => {
    const { hub, stream, result } = await open({ toolsListChanged: true })
    stream.state.unread = 256 * 1024 + 1
    hub.tell({ lists: ['tools'], uris: [] })
    hub.tell({ lists: ['tools'], uris: [] })
    await result
    expect(stream.sent.slice(1)).toMatchObject([cancelled])
  })

  test('leaves the hub when its client disconnects', async () => {
    const { hub, stream } = await open({ toolsListChanged: true })
    stream.leave()
    await expect(hub.closed).resolves.toBeUndefined()
  })

  test('leaves the hub when its client disconnects before it opens', async () => {
    const { hub, request, outcome } = ask({ toolsListChanged: true })
    expect(await outcome).toMatchObject({ kind: 'stream' })
    request.abort()
    await expect(hub.closed).resolves.toBeUndefined()
  })

  test('leaves the hub when its client disconnected while it joined', async () => {
    const { hub, request, outcome } = ask({ toolsListChanged: true })
    request.abort()
    await outcome
    await expect(hub.closed).resolves.toBeUndefined()
  })

  test('ends at once when its client has already disconnected', async () => {
    const { request, outcome } = ask({ toolsListChanged: true })
    const opened = await outcome
    request.abort()
    if (opened.kind !== 'stream') throw new TypeError(`Not a stream: ${JSON.stringify(opened)}`)
    await expect(opened.run(createStream())).resolves.toMatchObject({ members: '' })
  })
})
