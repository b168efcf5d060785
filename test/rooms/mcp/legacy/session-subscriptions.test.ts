import { afterEach, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { defineResource, defineTool } from 'helve'
import { Bridge } from '../../../../src/objects/bridge-object.ts'
import { StoredSession } from '../../../../src/objects/bridge-session.ts'
import type { Made } from '../../../spec/registry.ts'
import { createServer, url } from '../../../spec/server.ts'
import { toInitialize, toLegacyHeaders, toLegacyRequest } from '../../../support/legacy-request.ts'

const text = { mime: 'text/plain', description: 'A text.', read: () => 'text' } as const
const flags = { isShown: true }
const made = {
  touch: defineTool({
    description: 'Publishes an update.',
    input: z.object({ uri: z.string() }),
    async run({ input, notify }) {
      await notify.resourceUpdated(input.uri)
      return 'done'
    },
  }),
  goods: defineResource({ ...text, uri: 'shop://{+path}' }),
  flagged: defineResource({ ...text, uri: 'shop://flagged', visible: () => flags.isShown }),
  hidden: defineResource({ ...text, uri: 'shop://hidden', visible: () => false }),
}

afterEach(() => {
  vi.useRealTimers()
  flags.isShown = true
  vi.restoreAllMocks()
})

function createSubscribing(
  lacking: readonly string[] = [],
  all: Readonly<Record<string, Made>> = made,
) {
  const server = createServer({ audit: false }, all)
  async function send(request: Request): Promise<Response> {
    const [env, ctx] = server.context()
    const lacked = Object.fromEntries(lacking.map((name) => [name, undefined]))
    Object.assign(ctx, { exports: { ...Object(ctx.exports), ...lacked } })
    return server.worker.fetch(request, env, ctx)
  }
  const ask = async (method: string, params: object, session: string | null = null) => {
    const response = await send(toLegacyRequest(url, method, params, { session }))
    // a reply is whatever came: tests look into it and fail where it is something else
    const body: ReturnType<typeof JSON.parse> = await response.json()
    return body
  }
  return {
    ask,
    begin: async () => {
      const response = await send(toInitialize(url, '2025-11-25'))
      const { result }: ReturnType<typeof JSON.parse> = await response.json()
      return { session: response.headers.get('Mcp-Session-Id'), result }
    },
    listen: async (session: string | null) => {
      const headers = toLegacyHeaders({ session, headers: { Accept: 'text/event-stream' } })
      const { body } = await send(new Request(url, { headers }))
      const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
      return async (): Promise<string> => {
        const { value = '' } = (await reader?.read()) ?? {}
        return value
      }
    },
  }
}

const emptyReply = { jsonrpc: '2.0', id: 1, result: {} }

test('a stream is sent the updates of what is subscribed to before and after, as it was written', async () => {
  const [one, other] = [createSubscribing(), createSubscribing()]
  const { session } = await one.begin()
  const before = 'shop://caf%c3%a9'
  const after = 'SHOP://c'
  expect(await one.ask('resources/subscribe', { uri: before }, session)).toEqual(emptyReply)
  const next = await one.listen(session)
  expect(await next()).toBe(':\n\n')
  // another isolate
  expect(await other.ask('resources/subscribe', { uri: after }, session)).toEqual(emptyReply)
  for (const uri of ['shop://café', 'shop://unknown', 'shop://c']) {
    // oxlint-disable-next-line no-await-in-loop
    await other.ask('tools/call', { name: 'touch', arguments: { uri } })
  }
  const received = (await next()) + (await next())
  const toUpdate = (uri: string): object => ({
    jsonrpc: '2.0',
    method: 'notifications/resources/updated',
    params: { uri },
  })
  const messages = [...received.matchAll(/^data: (.*)$/gm)].map(([, json = '']) => JSON.parse(json))
  expect(messages).toEqual([toUpdate(before), toUpdate(after)])
})

test('a spelling that is unsubscribed from is not sent any more, unlike the other one', async () => {
  const { ask, begin, listen } = createSubscribing()
  const { session } = await begin()
  await ask('resources/subscribe', { uri: 'shop://x' }, session)
  await ask('resources/subscribe', { uri: 'SHOP://x' }, session)
  const next = await listen(session)
  await next()
  await ask('resources/unsubscribe', { uri: 'shop://x' }, session)
  await ask('tools/call', { name: 'touch', arguments: { uri: 'shop://x' } })
  expect(await next()).toMatch(/^data: [^\n]*"uri":"SHOP:\/\/x"\}\}\n\n$/)
})

test('what is hidden when a stream opens is sent once it is shown again', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const { ask, begin, listen } = createSubscribing()
  const { session } = await begin()
  const touch = (uri: string) => ask('tools/call', { name: 'touch', arguments: { uri } })
  await ask('resources/subscribe', { uri: 'shop://flagged' }, session)
  await ask('resources/subscribe', { uri: 'shop://x' }, session)
  flags.isShown = false
  const next = await listen(session)
  await next()
  await touch('shop://flagged')
  await touch('shop://x')
  expect(await next()).toMatch(/^data: [^\n]*"uri":"shop:\/\/x"\}\}\n\n$/)
  flags.isShown = true
  await vi.advanceTimersByTimeAsync(60_000)
  await touch('shop://flagged')
  await touch('shop://x')
  expect(await next()).toContain('"uri":"shop://flagged"')
})

test('a stream reads subscriptions after a change, and not again for each update', async () => {
  const read = vi.spyOn(StoredSession.prototype, 'read')
  const { ask, begin, listen } = createSubscribing()
  const { session } = await begin()
  const next = await listen(session)
  await next()
  await ask('resources/subscribe', { uri: 'shop://x' }, session)
  const touch = async (): Promise<void> => {
    await ask('tools/call', { name: 'touch', arguments: { uri: 'shop://x' } })
    expect(await next()).toContain('"uri":"shop://x"')
  }
  await touch()
  const reads = read.mock.calls.length
  await touch()
  await touch()
  expect(read).toHaveBeenCalledTimes(reads)
})

test('updates that arrive while the subscriptions are read wait for that one read', async () => {
  const { ask, begin, listen } = createSubscribing()
  const { session } = await begin()
  const next = await listen(session)
  await next()
  await ask('resources/subscribe', { uri: 'shop://x' }, session)
  const gate = Promise.withResolvers<void>()
  const read = vi.spyOn(Bridge.prototype, 'readSession').mockImplementation(async () => {
    await gate.promise
    const subscriptions = [{ uri: 'shop://x', key: 'shop://x' }]
    return { kind: 'active', version: 1, subscriptions }
  })
  for (let update = 0; update < 3; update++) {
    // oxlint-disable-next-line no-await-in-loop -- longer apart than the hub collects
    await ask('tools/call', { name: 'touch', arguments: { uri: 'shop://x' } })
    // oxlint-disable-next-line no-await-in-loop
    await scheduler.wait(150)
  }
  gate.resolve()
  let received = ''
  // oxlint-disable-next-line no-await-in-loop
  while (received.split('shop://x').length <= 3) received += await next()
  expect(read).toHaveBeenCalledTimes(1)
})

test('what is unknown or hidden is not found', async () => {
  const { ask, begin } = createSubscribing()
  const { session } = await begin()
  for (const uri of ['other://x', 'shop://hidden']) {
    // oxlint-disable-next-line no-await-in-loop
    expect(await ask('resources/subscribe', { uri }, session)).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32002, message: expect.stringContaining(uri), data: { uri } },
    })
  }
})

test('a subscription needs a session and a URI', async () => {
  const { ask, begin } = createSubscribing()
  expect((await ask('resources/subscribe', { uri: 'shop://x' })).error).toEqual({
    code: -32602,
    message: expect.stringContaining('Mcp-Session-Id'),
  })
  const { session } = await begin()
  expect((await ask('resources/subscribe', {}, session)).error.code).toBe(-32602)
})

test('what was not subscribed to can be unsubscribed from', async () => {
  const { ask, begin } = createSubscribing()
  const { session } = await begin()
  expect(await ask('resources/unsubscribe', { uri: 'shop://x' }, session)).toEqual(emptyReply)
})

test('a session has 100 subscriptions', async () => {
  const { ask, begin } = createSubscribing()
  const { session } = await begin()
  const subscribe = (n: number) => ask('resources/subscribe', { uri: `shop://${n}` }, session)
  const replies = await Promise.all(Array.from({ length: 100 }, (_, n) => subscribe(n)))
  expect(replies).toEqual(Array.from({ length: 100 }, () => emptyReply))
  expect((await subscribe(100)).error.message).toContain('100 resources')
  // again is not one more
  expect(await subscribe(0)).toEqual(emptyReply)
})

test.each(['Hub', 'Bridge'])('without %s there are no subscriptions', async (name) => {
  const { ask, begin } = createSubscribing([name])
  const { result, session } = await begin()
  expect(result.capabilities.resources).not.toHaveProperty('subscribe')
  expect((await ask('resources/subscribe', { uri: 'shop://x' }, session)).error.code).toBe(-32601)
})

test('subscriptions are declared with resources only', async () => {
  expect((await createSubscribing().begin()).result.capabilities.resources).toEqual({
    subscribe: true,
    listChanged: true,
  })
  const { touch } = made
  const { ask, begin } = createSubscribing([], { touch })
  const { result, session } = await begin()
  expect(result.capabilities).not.toHaveProperty('resources')
  expect((await ask('resources/subscribe', { uri: 'shop://x' }, session)).error.code).toBe(-32601)
})
