import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGuarded, type Guarded } from '../support/guarded.ts'
import { createOAuthClient } from '../support/oauth-client.ts'
import { signIn } from '../support/sign-in.ts'
import { walkServer } from '../support/walk-server.ts'
import { startWranglerDev, type WranglerDev } from '../support/wrangler-dev.ts'

/*
 * Uses everything that the fixture servers have. Each message that comes back is validated by the
 * official JSON Schema (test/support/check-messages.ts), so that a wrong one fails the test.
 */

let everything: WranglerDev
let guarded: Guarded
let authorized: WranglerDev
beforeAll(async () => {
  const cwd = join(import.meta.dirname, '../authorized')
  ;[everything, guarded, authorized] = await Promise.all([
    startWranglerDev({ cwd: join(import.meta.dirname, '../everything') }),
    startGuarded(),
    startWranglerDev({ cwd }),
  ])
}, 90_000)
afterAll(() => Promise.all([everything, guarded, authorized].map((server) => server.stop())))

describe('every message fits the official schema', () => {
  it('of test/everything', async () => {
    const walk = await walkServer(`${everything.url}/mcp`)
    expect(walk.tools).toBeGreaterThan(40)
    for (const type of ['text', 'image', 'audio', 'resource']) {
      expect(walk.seen).toContain(`"type":"${type}"`)
    }
    for (const kind of ['input_required', 'isError', 'notifications/progress', '"blob"']) {
      expect(walk.seen).toContain(kind)
    }
    expect(walk.seen).toContain('notifications/message')
    expect(walk.seen).toContain('notifications/subscriptions/acknowledged')
  }, 90_000)

  it('of test/guarded', async () => {
    const all = await guarded.caller('ada', 'a b admin')
    expect((await walkServer(guarded.endpoint, all.headers)).tools).toBeGreaterThan(13)
    const none = await guarded.caller('grace')
    expect((await walkServer(guarded.endpoint, none.headers)).tools).toBeGreaterThan(5)
    await walkServer(guarded.endpoint)
  }, 90_000)

  it('of test/authorized', async () => {
    const oauth = createOAuthClient('walker')
    const transport = new StreamableHTTPClientTransport(new URL(`${authorized.url}/mcp`), {
      authProvider: oauth,
    })
    const options = { versionNegotiation: { mode: 'auto' } } as const
    const client = new Client({ name: 'walker', version: '1.0.0' }, options)
    await client.connect(transport).catch(() => {})
    await transport.finishAuth(await signIn(oauth.pages.at(-1)))
    const { access_token: token } = (await oauth.tokens()) ?? {}
    const walk = await walkServer(`${authorized.url}/mcp`, { Authorization: `Bearer ${token}` })
    expect(walk.tools).toBeGreaterThan(0)
    await walkServer(`${authorized.url}/mcp`)
  }, 90_000)
})
