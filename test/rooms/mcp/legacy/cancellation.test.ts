import { afterEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { defineTool } from 'helve'
import { CancelledCalls } from '../../../../src/mcp/legacy/cancelled-calls.ts'
import { createServer, url } from '../../../spec/server.ts'
import {
  toInitialize,
  toLegacyNotification,
  toLegacyPost,
  toLegacyRequest,
} from '../../../support/legacy-request.ts'

const aborted: unknown[] = []
let running = 0
const made = {
  wait: defineTool({
    description: 'Waits until it is aborted.',
    input: z.object({ ms: z.number().default(10_000) }),
    async run({ input, signal }) {
      running += 1
      await Promise.race([
        new Promise((resolve) => signal.addEventListener('abort', resolve)),
        scheduler.wait(input.ms),
      ])
      if (signal.aborted) aborted.push(String(signal.reason))
      return 'done'
    },
  }),
}

afterEach(() => {
  vi.restoreAllMocks()
  aborted.length = 0
  running = 0
})

/** Waits until the tool runs in each of these calls. */
function untilRunning(calls = 1): Promise<void> {
  return vi.waitFor(() => expect(running).toBe(calls))
}

/** A Worker in an isolate of its own: it shares no memory with another one. */
function createIsolate() {
  const server = createServer({ audit: {} }, made)
  const send = async (request: Request): Promise<Response> =>
    server.worker.fetch(request, ...server.context())
  const open = (
    session: string | null,
    id: string | number = 1,
    input: object = {},
    headers = {},
  ): Promise<Response> => {
    const params = { name: 'wait', arguments: input }
    return send(toLegacyRequest(url, 'tools/call', params, { session, id, headers }))
  }
  return {
    send,
    begin: async (): Promise<string> => {
      const response = await send(toInitialize(url, '2025-11-25'))
      await response.text()
      return response.headers.get('Mcp-Session-Id') ?? ''
    },
    /** Calls the tool, and returns the response as soon as it begins. */
    open,
    call: async (...calling: Parameters<typeof open>) => {
      const response = await open(...calling)
      return { status: response.status, text: await response.text() }
    },
    cancel: async (session: string | null, requestId: unknown): Promise<number> => {
      const body = toLegacyNotification('notifications/cancelled', { requestId, reason: 'no' })
      return (await send(toLegacyPost(url, body, { session }))).status
    },
  }
}

function findLines(log: { readonly mock: { readonly calls: readonly unknown[][] } }): unknown[] {
  return log.mock.calls.map(([line]) => JSON.parse(String(line)))
}

describe('a call that its client cancels', () => {
  test('is aborted, gets no response, and its audit line says so', async () => {
    const log = vi.spyOn(console, 'log').mockReturnValue()
    const { begin, call, cancel } = createIsolate()
    const session = await begin()
    const calling = call(session)
    await untilRunning()
    expect(await cancel(session, 1)).toBe(202)
    expect(await calling).toEqual({ status: 200, text: '' })
    expect(aborted).toEqual([expect.stringContaining('The client cancelled the request.')])
    expect(findLines(log)).toContainEqual(
      expect.objectContaining({ method: 'tools/call', name: 'wait', outcome: 'cancelled' }),
    )
  })

  test('that is a stream by then ends without a response, and is over', async () => {
    const { begin, open, cancel } = createIsolate()
    const session = await begin()
    const stream = await open(session)
    await cancel(session, 1)
    expect(await stream.text()).toMatch(
      /^id: cut\.\S+\nretry: \d+\ndata: \n\n[:\n]+id: over\.\S+\ndata: \n\n$/,
    )
  })

  test('gets 202 if it takes no stream', async () => {
    const { begin, call, cancel } = createIsolate()
    const session = await begin()
    const calling = call(session, 'a', {}, { Accept: 'application/json' })
    await untilRunning()
    await cancel(session, 'a')
    expect(await calling).toEqual({ status: 202, text: '' })
  })

  test('is aborted in another isolate', async () => {
    const [here, there] = [createIsolate(), createIsolate()]
    const session = await here.begin()
    const calling = here.call(session)
    await scheduler.wait(2_500)
    await there.cancel(session, 1)
    const { text } = await calling
    expect(text).not.toContain('"result"')
    expect(aborted).toHaveLength(1)
  })

  test('is aborted in another isolate, also if it was cancelled early', async () => {
    const [here, there] = [createIsolate(), createIsolate()]
    const session = await here.begin()
    const calling = here.call(session)
    await untilRunning()
    await there.cancel(session, 1)
    const { text } = await calling
    expect(text).not.toContain('"result"')
    expect(aborted).toHaveLength(1)
  })
})

test.each([
  ['an unknown request', 2],
  ['a request whose id has another type', '1'],
  ['no request', undefined],
  ['what cannot be an id', { id: 1 }],
])('the cancellation of %s is ignored', async (_, requestId) => {
  const { begin, call, cancel } = createIsolate()
  const session = await begin()
  const calling = call(session, 1, { ms: 500 })
  await untilRunning()
  expect(await cancel(session, requestId)).toBe(202)
  expect((await calling).text).toContain('done')
})

test('the cancellation of another session, or of none, is ignored', async () => {
  const { begin, call, cancel } = createIsolate()
  const calling = call(await begin(), 1, { ms: 700 })
  const loose = call(null, 1, { ms: 700 })
  await untilRunning(2)
  expect(await cancel(await begin(), 1)).toBe(202)
  expect(await cancel(null, 1)).toBe(202)
  expect((await calling).text).toContain('done')
  expect((await loose).text).toContain('done')
})

test('an id that was cancelled before can be used again', async () => {
  const { begin, call, cancel } = createIsolate()
  const session = await begin()
  await cancel(session, 1)
  await scheduler.wait(10)
  expect((await call(session, 1, { ms: 400 })).text).toContain('done')
})

describe('calls that were cancelled', () => {
  const began = Date.now()

  test('are known if they run in this isolate', () => {
    const cancelledCalls = new CancelledCalls()
    cancelledCalls.begin('one')
    expect(cancelledCalls.isCancelled('one', began)).toBe(false)
    expect(cancelledCalls.cancel('one')).toBe(true)
    expect(cancelledCalls.cancel('two')).toBe(false)
    expect(cancelledCalls.isCancelled('one', began)).toBe(true)
    cancelledCalls.end('one')
    expect(cancelledCalls.cancel('one')).toBe(false)
    expect(cancelledCalls.isCancelled('one', began)).toBe(false)
  })

  test('are known, however many other ids a client sends, and after a second call with the id', () => {
    const cancelledCalls = new CancelledCalls()
    cancelledCalls.begin('mine')
    cancelledCalls.cancel('mine')
    for (let id = 0; id < 10_000; id++) cancelledCalls.cancel(`flood ${id}`)
    cancelledCalls.begin('mine')
    expect(cancelledCalls.isCancelled('mine', began)).toBe(true)
    expect(cancelledCalls.isCancelled('flood 9999', began)).toBe(false)
  })

  test('are not remembered by an id that is long enough to fill the memory', () => {
    const cancelledCalls = new CancelledCalls()
    const long = 'x'.repeat(1_025)
    cancelledCalls.begin(long)
    // so that it is passed on to the object of the session
    expect(cancelledCalls.cancel(long)).toBe(false)
    expect(cancelledCalls.isCancelled(long, began)).toBe(false)
  })
})
