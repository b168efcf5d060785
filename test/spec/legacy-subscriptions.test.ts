import { exports } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { defineResource } from 'helve'
import { legacyVersions } from '../support/legacy-request.ts'
import { readEvents } from '../support/sse-events.ts'
import { createServer, url } from './server.ts'

const { worker, askLegacy, initialize, fetch } = createServer(
  {},
  {
    notes: defineResource({ uri: 'test://notes', mime: 'text/plain', read: () => 'notes' }),
    picture: defineResource({ uri: 'test://picture', mime: 'text/plain', read: () => 'picture' }),
  },
)
const notify = worker.notify(exports)

// https://modelcontextprotocol.io/specification/2025-11-25/server/resources
describe('server/resources, "Subscriptions"', () => {
  const listen = async (session: string) =>
    readEvents(
      await fetch(
        new Request(url, { headers: { Accept: 'text/event-stream', 'Mcp-Session-Id': session } }),
      ),
    )

  test.each(legacyVersions)(
    'subscribe and unsubscribe return an empty result: %s',
    async (version) => {
      const session = await initialize(version)
      const changes = { version, session }
      const uri = 'test://notes'
      expect((await askLegacy('resources/subscribe', { uri }, changes)).body.result).toEqual({})
      expect((await askLegacy('resources/unsubscribe', { uri }, changes)).body.result).toEqual({})
    },
  )

  test('an update is sent to the sessions that subscribed, and to no others', async () => {
    const [session, other] = await Promise.all([initialize(), initialize()])
    await askLegacy('resources/subscribe', { uri: 'test://notes' }, { session })
    await askLegacy('resources/subscribe', { uri: 'test://picture' }, { session: other })
    const [mine, others] = await Promise.all([listen(session), listen(other)])
    await notify.resourceUpdated('test://notes')
    await notify.resourceUpdated('test://picture')
    const updated = { jsonrpc: '2.0', method: 'notifications/resources/updated' }
    expect(await mine.nextMessage()).toEqual({ ...updated, params: { uri: 'test://notes' } })
    expect(await others.nextMessage()).toEqual({ ...updated, params: { uri: 'test://picture' } })
    await Promise.all([mine.leave(), others.leave()])
  })

  test('a list that changed SHOULD be announced', async () => {
    const { nextMessage, leave } = await listen(await initialize())
    await notify.resourcesChanged()
    expect(await nextMessage()).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/resources/list_changed',
    })
    await leave()
  })

  test('a URI of no resource SHOULD get -32002', async () => {
    const session = await initialize()
    const { status, body } = await askLegacy(
      'resources/subscribe',
      { uri: 'test://nothing' },
      { session },
    )
    expect([status, body.error.code]).toEqual([200, -32002])
  })
})
