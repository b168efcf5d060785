import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { everythingHosts, type Everything } from '../support/everything.ts'
import type { Changes } from '../support/modern-request.ts'
import { openCall, type OpenCall } from '../support/open-call.ts'

const wantsJson = { headers: { Accept: 'application/json' } }
const sse = 'text/event-stream'
const json = 'application/json'

describe.concurrent.each(everythingHosts)('a response from %s', (_, start) => {
  let app: Everything
  beforeAll(async () => {
    app = await start()
  }, 90_000)
  afterAll(() => app.stop())

  const call = (name: string, input: object = {}, changes: Changes = {}): Promise<OpenCall> =>
    openCall(app.endpoint, 'tools/call', { name, arguments: input }, changes)
  const finish = async (...args: Parameters<typeof call>): Promise<OpenCall> => {
    const open = await call(...args)
    await open.ended
    return open
  }
  const whyAborted = async (key: string): Promise<unknown> => {
    const { messages } = await finish('was_aborted', { key })
    return messages()[0]
  }
  const aborted = { result: { structuredContent: { reason: expect.stringContaining('client') } } }

  // a second between two comments, of which a proxy takes the first; the rest is for slow machines
  it.each([0, 500, 3_500])(
    'aborts the signal of a silent tool soon after its client disconnects, %i ms after its first comment',
    async (ms) => {
      const key = crypto.randomUUID()
      const open = await call('wait_until_aborted', { key })
      await vi.waitUntil(() => open.received.length > 0, 15_000)
      await wait(ms)
      open.leave()
      const left = performance.now()
      await vi.waitFor(async () => expect(await whyAborted(key)).toMatchObject(aborted), {
        timeout: 15_000,
        interval: 50,
      })
      expect(performance.now() - left).toBeLessThan(4_000)
    },
    45_000,
  )

  it('has a comment every second while the tool is silent', async () => {
    const { received } = await finish('sleep', { ms: 5_500 })
    const comments = received.slice(0, -1)
    expect(comments.map(({ kind }) => kind)).toEqual(comments.map(() => 'comment'))
    expect(comments.length).toBeGreaterThan(2)
    for (const [index, { at }] of comments.entries()) {
      const gap = at - (comments[index - 1]?.at ?? at - 1_000)
      expect(gap).toBeGreaterThan(500)
      expect(gap).toBeLessThan(3_000)
    }
  })

  it.each([
    ['a string', 'the-token'],
    ['an integer', 42],
    ['zero', 0],
  ])('contains progress with its token, %s, before the result', async (_, progressToken) => {
    const { contentType, messages } = await finish(
      'test_tool_with_progress',
      {},
      { id: 'a', meta: { progressToken } },
    )
    expect(contentType).toBe(sse)
    expect(messages()).toEqual([
      ...[0, 50, 100].map((progress) => toProgress({ progressToken, progress, total: 100 })),
      expect.objectContaining({ id: 'a', result: expect.objectContaining({ content: [done] }) }),
    ])
  })

  it('is JSON without progress if no token was sent', async () => {
    const { contentType, messages } = await finish('test_tool_with_progress')
    expect(contentType).toBe(json)
    expect(messages()).toMatchObject([{ result: { content: [done] } }])
  })

  it('contains no progress that does not increase', async () => {
    const input = { done: [1, 1, 0.5, 2, -3, 2, 2.5] }
    const { messages } = await finish('report_progress', input, { meta: { progressToken: 't' } })
    expect(messages().slice(0, -1)).toMatchObject(
      [1, 2, 2.5].map((progress) => ({ params: { progress } })),
    )
  })

  it('ends with the result, whatever the tool reports afterwards', async () => {
    const meta = { progressToken: 't', ...logLevel('debug') }
    const { messages, received } = await finish('emit_after_end', {}, { meta })
    expect(messages()).toMatchObject([{ params: { progress: 1 } }, { result: {} }])
    expect(received.at(-1)).toMatchObject({ kind: 'message', message: { result: {} } })
  })

  it.each([
    ['debug', ['debug', 'info', 'error']],
    ['info', ['info', 'error']],
    ['warning', ['error']],
    ['emergency', []],
  ])('contains log messages from the level %s up', async (level, levels) => {
    const { contentType, messages } = await finish(
      'test_logging_tool',
      {},
      { meta: logLevel(level) },
    )
    expect(contentType).toBe(levels.length > 0 ? sse : json)
    expect(messages().slice(0, -1)).toMatchObject(
      levels.map((level) => ({ method: 'notifications/message', params: { level } })),
    )
  })

  it('contains no log messages if the request has no level', async () => {
    const { contentType, messages } = await finish('test_logging_tool')
    expect(contentType).toBe(json)
    expect(messages()).toHaveLength(1)
  })

  it('is JSON for a client that accepts only JSON, whatever the tool reports', async () => {
    const meta = { progressToken: 't', ...logLevel('debug') }
    const { contentType, messages } = await finish('emit_after_end', {}, { meta, ...wantsJson })
    expect(contentType).toBe(json)
    expect(messages()).toMatchObject([{ result: {} }])
  })

  it('becomes a stream, with a comment at once, after a silent second', async () => {
    const { at, contentType, received } = await finish('sleep', { ms: 4_000 })
    expect(contentType).toBe(sse)
    expect(at).toBeGreaterThan(900)
    expect(at).toBeLessThan(3_000)
    expect(received[0]?.kind).toBe('comment')
    expect(received[0]?.at).toBeLessThan(3_000)
  })

  it('stays JSON after silent seconds for a client that accepts only JSON', async () => {
    const { at, contentType } = await finish('sleep', { ms: 3_000 }, wantsJson)
    expect(contentType).toBe(json)
    expect(at).toBeGreaterThan(2_900)
  })

  it('is JSON if the tool returns within a second', async () => {
    expect(await finish('sleep', { ms: 500 })).toMatchObject({ contentType: json })
  })

  it.each([
    ['JSON', {}, json],
    ['a stream', { meta: { progressToken: 't' } }, sse],
  ])('contains all of 1 MB as %s', async (_, changes, type) => {
    const text = 'aé€𝄞'.repeat(100_000)
    const { contentType, messages } = await finish(
      'large_text',
      { bytes: 1_000_000, emit: true },
      changes,
    )
    expect(contentType).toBe(type)
    expect(messages().at(-1)).toMatchObject({ result: { content: [{ type: 'text', text }] } })
  })

  it('contains nothing of nineteen concurrent streams', async () => {
    const marks = Array.from({ length: 20 }, (_, index) => `call ${index}`)
    const done = [1, 2, 3, 4, 5]
    const calls = await Promise.all(
      marks.map((mark) =>
        finish('report_progress', { done, mark }, { id: mark, meta: { progressToken: mark } }),
      ),
    )
    for (const [index, { messages }] of calls.entries()) {
      const mark = marks[index]
      const progress = done.map((progress) =>
        toProgress({ progressToken: mark, progress, message: mark }),
      )
      const result = expect.objectContaining({ content: [{ type: 'text', text: mark }] })
      expect(messages()).toEqual([...progress, { jsonrpc: '2.0', id: mark, result }])
    }
  })

  it('ends at the time limit, whatever progress is reported', async () => {
    const { received, messages } = await finish(
      'outlive_limit',
      {},
      { meta: { progressToken: 't' } },
    )
    const end = received.at(-1)
    expect(end).toMatchObject({ kind: 'message', message: { result: { isError: true } } })
    expect(end?.at).toBeGreaterThan(950)
    expect(end?.at).toBeLessThan(2_500)
    expect(messages().length).toBeGreaterThan(5)
  })

  it('aborts the signal of a tool that reports progress after its client disconnects', async ({
    expect,
  }) => {
    const key = crypto.randomUUID()
    const open = await call('emit_until_aborted', { key }, { meta: { progressToken: 't' } })
    await expect.poll(() => open.messages().length, { timeout: 15_000 }).toBeGreaterThan(3)
    expect(await whyAborted(key)).toMatchObject({ result: { structuredContent: { reason: null } } })
    open.leave()
    await expect.poll(() => whyAborted(key), { timeout: 15_000 }).toMatchObject(aborted)
  })
})

const done = { type: 'text', text: 'Done in three steps.' }

function toProgress(params: object): object {
  return { jsonrpc: '2.0', method: 'notifications/progress', params }
}

function logLevel(level: string): Record<string, string> {
  return { 'io.modelcontextprotocol/logLevel': level }
}
