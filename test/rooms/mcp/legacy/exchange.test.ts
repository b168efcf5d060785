import { runInDurableObject } from 'cloudflare:test'
import { exports } from 'cloudflare:workers'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { defineTool, form } from 'helve'
import * as z from 'zod'
import { createServer, url } from '../../../spec/server.ts'
import {
  toLegacyNotification,
  toLegacyPost,
  toLegacyRequest,
} from '../../../support/legacy-request.ts'
import { everything } from './asked-call.ts'

const description = 'Asks.'
const ran = vi.fn<() => void>()
const run = (): string => {
  ran()
  return 'done'
}
const made = {
  ask: defineTool({ description, ask: () => ({ sure: form('Sure?', z.object({})) }), run }),
  long: defineTool({
    description,
    ask: () => ({ sure: form('x'.repeat(3_000), z.object({})) }),
    run,
  }),
  choose: defineTool({
    description,
    ask: () => ({ sizes: form('Which?', z.object({ sizes: z.array(z.enum(['s', 'm'])) })) }),
    run,
  }),
}
const server = createServer({ maxResultBytes: 2_000 }, made)

beforeEach(() => {
  ran.mockClear()
})

/** Sends a request to a Worker, and does something as soon as the object of its questions is open. */
async function sendAndThen(
  act: (object: DurableObjectStub) => Promise<void>,
  request: Request,
): Promise<string> {
  const [bindings, ctx] = server.context()
  const all: unknown = Reflect.get(exports, 'Bridge')
  if (!isNamespace(all)) throw new TypeError('The fixture has no Bridge.')
  const object = all.get(all.newUniqueId())
  const opened = {
    id: object.id,
    async fetch(path: string, init: RequestInit) {
      const response = await object.fetch(path, init)
      await act(object)
      return response
    },
  }
  const Bridge = Object.assign(() => {}, { newUniqueId: () => object.id, get: () => opened })
  Object.assign(ctx, { exports: { ...ctx.exports, Bridge } })
  return (await server.worker.fetch(request, bindings, ctx)).text()
}

function isNamespace(value: unknown): value is DurableObjectNamespace {
  return Object(value) === value && Reflect.has(Object(value), 'newUniqueId')
}

describe('the questions of a call', () => {
  test('are not asked if they are longer than a result may be', async () => {
    const session = await server.initialize('2025-11-25', everything)
    const { text } = await server.askLegacy('tools/call', { name: 'long' }, { session })
    expect(text).toMatch(/"isError":true/)
    expect(text).toContain('What long asks')
    expect(text).not.toContain('elicitation/create')
    expect(ran).not.toHaveBeenCalled()
  })

  test('are not asked if the revision lacks one of them', async () => {
    const version = '2025-06-18'
    const session = await server.initialize(version, everything)
    const params = { name: 'choose' }
    const { body } = await server.askLegacy('tools/call', params, { session, version })
    expect(body.result.content[0].text).toContain(
      'its question "sizes" cannot be asked in revision 2025-06-18 of MCP',
    )
    expect(ran).not.toHaveBeenCalled()
  })

  test('end with their object', async () => {
    const session = await server.initialize('2025-11-25', everything)
    const text = await sendAndThen(
      (object) =>
        runInDurableObject(object, (_, state) => {
          state.getWebSockets().forEach((socket) => socket.close(1012))
        }),
      toLegacyRequest(url, 'tools/call', { name: 'ask' }, { session }),
    )
    expect(text).toContain('its questions were interrupted by the server. Call it again.')
    expect(ran).not.toHaveBeenCalled()
  })

  test('are not asked if the call is cancelled before', async () => {
    const session = await server.initialize('2025-11-25', everything)
    const body = toLegacyNotification('notifications/cancelled', { requestId: 1 })
    const text = await sendAndThen(
      async () => {
        await server.send(toLegacyPost(url, body, { session }))
        // longer than until the call looks
        await scheduler.wait(600)
      },
      toLegacyRequest(url, 'tools/call', { name: 'ask' }, { session }),
    )
    // nor cancelled
    expect(text).not.toContain('"method"')
    expect(text).not.toContain('"result"')
    expect(ran).not.toHaveBeenCalled()
  })
})
