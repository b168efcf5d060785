import { describe, expect, test } from 'vitest'
import { defineTool } from 'helve'
import {
  type LegacyChanges,
  toLegacyNotification,
  toLegacyRequest,
} from '../support/legacy-request.ts'
import { readEvents } from '../support/sse-events.ts'
import { createServer, url } from './server.ts'

const { initialize, postLegacy, fetch } = createServer(
  {},
  {
    waits: defineTool({
      description: 'Waits until it is stopped.',
      timeout: '20s',
      async run({ signal, progress }) {
        progress(1)
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        return 'stopped'
      },
    }),
  },
)

// https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/cancellation
describe('basic/utilities/cancellation', () => {
  const cancel = (requestId: unknown, changes: LegacyChanges = {}) =>
    postLegacy(toLegacyNotification('notifications/cancelled', { requestId }), changes)

  test('stops the request, and no response SHOULD be sent for it', async () => {
    const session = await initialize()
    const params = { name: 'waits', _meta: { progressToken: 1 } }
    const request = toLegacyRequest(url, 'tools/call', params, { session, id: 'c1' })
    const { nextMessage, messages } = readEvents(await fetch(request))
    expect(await nextMessage()).toMatchObject({ method: 'notifications/progress' })
    const { status, text } = await cancel('c1', { session })
    expect([status, text]).toEqual([202, ''])
    expect(await messages()).toEqual([])
  })

  test('of another session stops nothing', async () => {
    const [session, other] = await Promise.all([initialize(), initialize()])
    const params = { name: 'waits', _meta: { progressToken: 1 } }
    const request = toLegacyRequest(url, 'tools/call', params, { session, id: 'c2' })
    const { nextMessage, messages } = readEvents(await fetch(request))
    await nextMessage()
    expect((await cancel('c2', { session: other })).status).toBe(202)
    expect((await cancel('c2')).status).toBe(202)
    const ended = messages()
    const first = await Promise.race([ended, scheduler.wait(100).then(() => 'running')])
    expect(first).toBe('running')
    await cancel('c2', { session })
    expect(await ended).toEqual([])
  })

  test.each(['unknown', 99, null, {}, undefined])(
    'of an unknown or a malformed id SHOULD be ignored: %j',
    async (requestId) => {
      const session = await initialize()
      const { status, text } = await cancel(requestId, { session })
      expect([status, text]).toEqual([202, ''])
    },
  )
})
