import { beforeEach, describe, expect, test, vi } from 'vitest'
import { defineTool, form } from 'helve'
import * as z from 'zod'
import { createServer, url } from '../../../spec/server.ts'
import { toLegacyHeaders, toLegacyNotification } from '../../../support/legacy-request.ts'
import { accept, everything, openAsked } from './asked-call.ts'

const description = 'Asks.'
const yes = z.object({ yes: z.boolean() })
const twoRounds = ({ answers }: { readonly answers: Readonly<Record<string, unknown>> }) => ({
  first: form('First?', yes),
  second: answers['first'] === undefined ? undefined : form('Second?', yes),
})
const begun = Promise.withResolvers<void>()
const gate = Promise.withResolvers<void>()
const ended = vi.fn<(signal: AbortSignal) => void>()

const started = vi.fn<() => void>()
const onVisible = vi.fn<() => Promise<void>>()

async function work({ signal }: { readonly signal: AbortSignal }): Promise<string> {
  started()
  // some work that does not look at its signal
  await scheduler.wait(300)
  ended(signal)
  return 'done'
}

const made = {
  once: defineTool({ description, ask: () => ({ sure: form('Sure?', yes) }), run: work }),
  late: defineTool({
    description,
    timeout: '50ms',
    ask: () => ({ sure: form('Sure?', yes) }),
    run: work,
  }),
  watched: defineTool({
    description,
    visible: () => onVisible().then(() => true),
    ask: () => ({ sure: form('Sure?', yes) }),
    run: work,
  }),
  quick: defineTool({
    description,
    visible: () => onVisible().then(() => true),
    ask: () => ({ sure: form('Sure?', yes) }),
    run: () => {
      started()
      return 'done'
    },
  }),
  repeatable: defineTool({
    description,
    hints: { idempotent: true },
    ask: () => ({ sure: form('Sure?', yes) }),
    async run({ signal }) {
      started()
      await scheduler.wait(5_000, { signal }).catch(() => {})
      ended(signal)
      return 'done'
    },
  }),
  counted: defineTool({
    description,
    limit: { tokens: 1, per: '1h' },
    ask: twoRounds,
    run: () => 'counted',
  }),
  placed: defineTool({
    description,
    parallel: 1,
    ask: () => ({ sure: form('Sure?', yes) }),
    async run() {
      begun.resolve()
      await gate.promise
      return 'done'
    },
  }),
  slow: defineTool({
    description,
    ask: () => ({ sure: form('Sure?', yes) }),
    async run() {
      started()
      await scheduler.wait(2_500)
      return 'done'
    },
  }),
}

const server = createServer({}, made)
/** The same Worker in another isolate: the two share no memory. */
const another = createServer({}, made)

beforeEach(() => {
  started.mockClear()
  onVisible.mockReset().mockResolvedValue()
  ended.mockClear()
})

async function open(name: string, session: string) {
  return openAsked(server, 'tools/call', { name }, { session })
}

describe('a run that was confirmed', () => {
  test('goes on when the client closes its connection', async () => {
    const session = await server.initialize('2025-11-25', everything)
    const asked = await open('once', session)
    await server.postLegacy(accept(await asked.next(), { yes: true }), { session })
    await vi.waitFor(() => expect(started).toHaveBeenCalled())
    await asked.leave()
    await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce())
    expect(ended.mock.calls[0]?.[0].aborted).toBe(false)
  })

  test('is told to look before it is repeated where it was stopped', async () => {
    const session = await server.initialize('2025-11-25', everything)
    const asked = await open('late', session)
    await server.postLegacy(accept(await asked.next(), { yes: true }), { session })
    expect((await asked.next()).result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('Look up what it did before you call it again.') }],
    })
    await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce())
  })

  test('is stopped by a disconnect where it may be repeated', async () => {
    const session = await server.initialize('2025-11-25', everything)
    const asked = await open('repeatable', session)
    await server.postLegacy(accept(await asked.next(), { yes: true }), { session })
    await vi.waitFor(() => expect(started).toHaveBeenCalled())
    await asked.leave()
    await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce())
    expect(ended.mock.calls[0]?.[0].aborted).toBe(true)
  })
})

describe('a call that is cancelled between the answer and its run', () => {
  test.each(['watched', 'quick'])('does not run: %s', async (name) => {
    const session = await server.initialize('2025-11-25', everything)
    const asked = await open(name, session)
    const question = await asked.next()
    onVisible.mockImplementationOnce(async () => {
      const params = { requestId: 1 }
      const text = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
      await server.postLegacy(text, { session })
      // longer than until the call looks
      await scheduler.wait(600)
    })
    await server.postLegacy(accept(question, { yes: true }), { session })
    expect(await asked.rest()).toEqual([])
    expect(started).not.toHaveBeenCalled()
  })
})

describe('a call that asks', () => {
  test('does not run if its client cancels it, and its answer arrives right after that', async () => {
    const session = await server.initialize('2025-11-25', everything)
    const asked = await open('once', session)
    const question = await asked.next()
    const cancelled = toLegacyNotification('notifications/cancelled', { requestId: 1 })
    await server.postLegacy(cancelled, { session })
    await server.postLegacy(accept(question, { yes: true }), { session })
    expect(await asked.rest()).toEqual([])
    expect(started).not.toHaveBeenCalled()
  })

  test.each([
    ['in the same isolate', server, 0],
    ['in another isolate, before the call has joined its session', another, 0],
    ['in another isolate', another, 2_300],
  ])('ends when its client ends the session %s', async (_, deleting, ms) => {
    const session = await server.initialize('2025-11-25', everything)
    const asked = await open('once', session)
    const question = await asked.next()
    await scheduler.wait(ms)
    const headers = toLegacyHeaders({ session })
    const { status } = await deleting.send(new Request(url, { method: 'DELETE', headers }))
    expect(status).toBe(204)
    const params = { requestId: question.id, reason: expect.any(String) }
    // as after `notifications/cancelled`: no response
    expect(await asked.rest()).toEqual([
      { jsonrpc: '2.0', method: 'notifications/cancelled', params },
    ])
    expect(started).not.toHaveBeenCalled()
  })

  test('goes on when its client ends the session while it runs', async () => {
    const session = await server.initialize('2025-11-25', everything)
    const asked = await open('slow', session)
    await server.postLegacy(accept(await asked.next(), { yes: true }), { session })
    await vi.waitFor(() => expect(started).toHaveBeenCalled())
    const headers = toLegacyHeaders({ session })
    await another.send(new Request(url, { method: 'DELETE', headers }))
    expect((await asked.next()).result.content).toEqual([{ type: 'text', text: 'done' }])
  })

  test('counts once, however many rounds it has', async () => {
    const session = await server.initialize('2025-11-25', everything)
    const asked = await open('counted', session)
    await server.postLegacy(accept(await asked.next(), { yes: true }), { session })
    await server.postLegacy(accept(await asked.next(), { yes: true }), { session })
    expect((await asked.next()).result.content).toEqual([{ type: 'text', text: 'counted' }])
    const second = await server.askLegacy('tools/call', { name: 'counted' }, { session })
    expect(second.text).toContain('it may be called once in 1h')
  })

  test('has no place among the parallel calls while it waits for its user', async () => {
    const session = await server.initialize('2025-11-25', everything)
    const [one, other] = [await open('placed', session), await open('placed', session)]
    const [first, second] = [await one.next(), await other.next()]
    await server.postLegacy(accept(first, { yes: true }), { session })
    await begun.promise
    await server.postLegacy(accept(second, { yes: true }), { session })
    expect((await other.next()).result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('a call of it is running already') }],
    })
    gate.resolve()
    expect((await one.next()).result.content).toEqual([{ type: 'text', text: 'done' }])
  })
})
