import { createExecutionContext } from 'cloudflare:test'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { defineResource } from '../../../src/define/resource.ts'
import { defineTool } from '../../../src/define/tool.ts'
import { custom } from '../../../src/auth/custom.ts'
import { optionalAuth } from '../../../src/auth/optional-auth.ts'
import { Guard, toCallerDigest } from '../../../src/auth/request/guard.ts'
import type { Authenticator } from '../../../src/define/authenticator.ts'
import type { Delivery, Listener, ListenerOwner } from '../../../src/objects/hub-listener.ts'
import type { Caller } from '../../../src/protocol/caller.ts'
import type { ServerNotification } from '../../../src/protocol/message.ts'
import { toRpcError } from '../../../src/protocol/failure.ts'
import type { HubClient } from '../../../src/state/hub.ts'
import { answer, createCall, createSettings, toLogText } from './test-call.ts'

/** A hub whose end of the connection is in the test's hands. */
function createHubStub() {
  const { promise: closed, resolve: close } = Promise.withResolvers<void>()
  const joined: Listener[] = []
  const owners: ListenerOwner[] = []
  let isClosed = false
  void closed.then(() => (isClosed = true))
  const stub = {
    joined,
    owners,
    close,
    closed,
    isClosed: () => isClosed,
    tell: (_delivery: Delivery): void => {},
  }
  const forward = (onDelivery: (delivery: Delivery) => void): Promise<boolean> => {
    stub.tell = onDelivery
    return closed.then(() => false)
  }
  const join: HubClient['join'] = (listener, owner) => {
    joined.push(listener)
    owners.push(owner)
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

const flags = { isShown: true }
const common = { mime: 'text/plain', read: () => '' } as const
const made = {
  plain: defineTool({ description: 'Runs.', run: () => '' }),
  goods: defineResource({ ...common, uri: 'shop://{+path}' }),
  hidden: defineResource({ ...common, uri: 'shop://hidden', visible: () => false }),
  flagged: defineResource({ ...common, uri: 'shop://flagged', visible: () => flags.isShown }),
  vault: defineResource({ ...common, uri: 'shop://vault', scopes: ['admin'] }),
}
const reader: Caller = { subject: 'ann', scopes: ['read'], claims: {} }

interface Changes {
  readonly caller?: Caller | null
  readonly callerDigest?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly auth?: Authenticator
  readonly join?: HubClient['join']
  readonly id?: string | number
  readonly streams?: boolean
}

function ask(notifications: unknown, changes: Changes = {}) {
  const { caller = reader, callerDigest, headers, auth, join, id = 1, streams = true } = changes
  const hub = createHubStub()
  const request = new AbortController()
  const unused = (): Promise<never> => Promise.reject(new Error('not used here'))
  const client: HubClient = {
    join: join ?? hub.join,
    publish: unused,
    stateKey: unused,
    announce: unused,
    updateSession: unused,
    endSession: unused,
  }
  const guard =
    auth === undefined ? null : new Guard({ auth, endpoint: '/mcp', scopes: [], name: 'test' })
  const settings = createSettings(made, {
    state: { hub: () => client },
    guard,
    listenersPerCaller: 7,
  })
  const { signal } = request
  const call = createCall(
    settings,
    'subscriptions/listen',
    { notifications },
    {
      signal,
      streams,
      ...(caller !== null && { caller }),
      ...(callerDigest !== undefined && { callerDigest }),
      ...(headers && { headers }),
    },
  )
  call.id = id
  call.execution = createExecutionContext()
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
    [{ resourceSubscriptions: null }, array],
    [{ resourceSubscriptions: false }, array],
    [{ resourceSubscriptions: [null] }, array],
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

  test('a client of a Worker without a hub, which has nothing to notify of', async () => {
    const call = createCall(
      createSettings(made),
      'subscriptions/listen',
      { notifications: { toolsListChanged: true } },
      { exports: {}, streams: true },
    )
    expect(await answer(call)).toEqual({
      kind: 'failure',
      failure: { kind: 'unknown-method', method: 'subscriptions/listen' },
    })
  })

  test('a listener too many of one caller, with how many it may have', async () => {
    expect(await refusal({}, { join: () => Promise.resolve(null) })).toEqual({
      status: 429,
      code: 429,
      message:
        'You have 7 open streams of notifications, which is the limit. ' +
        'Close one of them, or subscribe to more in one request.',
      headers: { 'Retry-After': '30' },
    })
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

test('a listener counts for its caller, or for its address, which the hub does not learn', async () => {
  const from = (address: string) => ({ headers: { 'CF-Connecting-IP': address } })
  const [ann, ...anonymous] = await Promise.all([
    open({}, { callerDigest: 'ann', ...from('192.0.2.1') }),
    open({}, { caller: null, ...from('192.0.2.1') }),
    open({}, { caller: null, ...from('192.0.2.1') }),
    open({}, { caller: null, ...from('192.0.2.2') }),
  ])
  expect(ann?.hub.owners).toEqual([{ digest: 'ann', most: 7 }])
  const [one, same, other] = anonymous.map(({ hub }) => hub.owners[0]?.digest)
  expect(one).toMatch(/^[-\w]{43}$/)
  expect(same).toBe(one)
  expect(other).not.toBe(one)
})

describe('the access of an open stream', () => {
  const minute = 60_000
  const listening = {
    toolsListChanged: true,
    resourceSubscriptions: ['shop://a', 'shop://flagged'],
  }
  const digestOfAnn = toCallerDigest(reader)

  /** Opens a stream whose caller is later what `identify` returns. */
  async function openAs(identify: () => Caller | null | Promise<Caller | null>) {
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
    })
    const headers = { Authorization: 'Bearer t' }
    const auth = custom(identify)
    return open(listening, { auth, headers, callerDigest: await digestOfAnn })
  }

  /** Lets time pass, and all checks that are due. */
  async function pass(ms: number): Promise<void> {
    await vi.advanceTimersByTimeAsync(ms)
    // a digest is computed outside the fake clock
    await new Promise((resolve) => void setImmediate(resolve))
  }

  test('is checked each minute, and the stream stays open', async () => {
    const identify = vi.fn<() => Caller>(() => ({ ...reader, scopes: ['read', 'more'] }))
    const { hub, stream, result } = await openAs(identify)
    await pass(10 * minute)
    expect(identify.mock.calls.length).toBeGreaterThanOrEqual(10)
    expect(identify.mock.calls.length).toBeLessThanOrEqual(14)
    expect(stream.sent).toHaveLength(1)
    hub.close()
    await result
    expect(vi.getTimerCount()).toBe(0)
  })

  test.for<[string, Caller | null]>([
    ['is revoked', null],
    ['loses a scope', { ...reader, scopes: [] }],
    ['is another caller’s', { ...reader, subject: 'bob' }],
  ])('ends within a minute when the token %s', async ([, caller]) => {
    const { hub, stream, result } = await openAs(() => caller)
    await pass(minute)
    await vi.waitFor(() => expect(hub.isClosed()).toBe(true))
    await result
    expect(stream.sent.at(-1)).toMatchObject({
      method: 'notifications/cancelled',
      params: { reason: expect.stringContaining('no longer valid, or have lost a scope') },
    })
  })

  test('goes on for five minutes while the credentials cannot be checked', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue()
    const { hub, stream, result } = await openAs(() => Promise.reject(new Error('away')))
    await pass(4.9 * minute)
    expect(hub.isClosed()).toBe(false)
    await pass(1.2 * minute)
    expect(hub.isClosed()).toBe(true)
    await result
    expect(stream.sent.at(-1)).toMatchObject({
      params: { reason: expect.stringContaining('could not be checked for five minutes') },
    })
    expect(log).toHaveBeenCalled()
  })

  test('ends after five minutes of a check that does not end, of which only one runs', async () => {
    const identify = vi.fn<() => Promise<Caller>>(() => new Promise(() => {}))
    const { hub } = await openAs(identify)
    await pass(6.1 * minute)
    expect(hub.isClosed()).toBe(true)
    expect(identify).toHaveBeenCalledOnce()
  })

  test('stays open after an outage that was shorter', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    let isAway = true
    const { hub } = await openAs(() => (isAway ? Promise.reject(new Error('away')) : reader))
    await pass(4 * minute)
    isAway = false
    await pass(20 * minute)
    expect(hub.isClosed()).toBe(false)
  })

  test('follows `visible`: what is hidden is not delivered until it is shown again', async () => {
    const { hub, stream } = await openAs(() => reader)
    const updates = (): unknown[] => stream.sent.slice(1).map(({ params }) => params?.['uri'])
    const change = { lists: [], uris: ['shop://a', 'shop://flagged'] }
    hub.tell(change)
    flags.isShown = false
    await pass(minute)
    await vi.waitFor(() => {
      stream.sent.splice(1)
      hub.tell(change)
      expect(updates()).toEqual(['shop://a'])
    })
    flags.isShown = true
    await pass(minute)
    await vi.waitFor(() => {
      stream.sent.splice(1)
      hub.tell(change)
      expect(updates()).toEqual(['shop://a', 'shop://flagged'])
    })
    expect(hub.isClosed()).toBe(false)
  })

  test('is checked for an anonymous caller as well, who may stay anonymous', async () => {
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
    })
    const auth = optionalAuth(custom(() => null))
    const { hub } = await open(listening, { caller: null, auth })
    await pass(3 * minute)
    expect(hub.isClosed()).toBe(false)
  })
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
