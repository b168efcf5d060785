import { describe, expect, test } from 'vitest'
import { defineResource, defineTool } from 'helve'
import { jwt } from '../../src/auth/jwt.ts'
import { resource } from '../rooms/auth/auth-context.ts'
import { type Claims, createIssuer } from '../rooms/auth/issuer.ts'
import { legacyVersions, toInitialize, toLegacyNotification } from '../support/legacy-request.ts'
import { createServer, url } from './server.ts'

const text = { mime: 'text/plain', description: 'A text.', read: () => 'text' } as const

// https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization
async function open() {
  const issuer = await createIssuer()
  const auth = jwt({ issuer: issuer.url })
  const server = createServer(
    { auth, resource },
    {
      look: defineTool({ description: 'Looks.', scopes: ['shop:read'], run: () => 'seen' }),
      pay: defineTool({ description: 'Pays.', scopes: ['shop:pay'], run: () => 'paid' }),
      bills: defineResource({ ...text, uri: 'shop://bills', scopes: ['shop:pay'] }),
      safe: defineResource({ ...text, uri: 'shop://safe', scopes: ['shop:pay'], conceal: true }),
    },
  )
  /** A client that is signed in, and has initialized. */
  async function signIn(claims: Claims = {}) {
    const headers = { Authorization: `Bearer ${await issuer.sign(claims)}` }
    const begun = await server.send(toInitialize(url, '2025-11-25', {}, { headers }))
    const session = begun.headers.get('Mcp-Session-Id') ?? ''
    const call = (name: string, of = session) =>
      server.askLegacy('tools/call', { name }, { headers, session: of })
    return { headers, session, call }
  }
  return { server, signIn }
}

const metadata = 'resource_metadata="https://shop.example/.well-known/oauth-protected-resource/mcp"'

describe('basic/authorization', () => {
  test.each(legacyVersions)(
    'initialize without a token MUST get 401, with the URL of the metadata: %s',
    async (version) => {
      const { server } = await open()
      const { status, headers } = await server.send(toInitialize(url, version))
      expect(status).toBe(401)
      expect(headers.get('WWW-Authenticate')).toContain(metadata)
    },
  )

  test('every request MUST contain its token, even of the same session', async () => {
    const { server, signIn } = await open()
    const { session, call } = await signIn()
    expect((await call('look')).body.result.content[0].text).toBe('seen')
    const changes = { session }
    expect((await server.askLegacy('tools/list', {}, changes)).status).toBe(401)
    const note = toLegacyNotification('notifications/initialized')
    expect((await server.postLegacy(note, changes)).status).toBe(401)
  })

  test.each(['GET', 'DELETE'])('so MUST %s', async (method) => {
    const { server, signIn } = await open()
    const { session } = await signIn()
    const headers = { 'Mcp-Session-Id': session, Accept: 'text/event-stream' }
    expect((await server.send(new Request(url, { method, headers }))).status).toBe(401)
  })

  test('missing scopes SHOULD get 403 with all that are needed', async () => {
    const { signIn } = await open()
    const { call } = await signIn({ scope: 'shop:read' })
    const { status, headers } = await call('pay')
    expect(status).toBe(403)
    expect(headers.get('WWW-Authenticate')).toMatch(/error="insufficient_scope".*shop:pay/)
    expect(headers.get('WWW-Authenticate')).toContain(metadata)
  })

  test('so does a subscription, as reading the resource does', async () => {
    const { server, signIn } = await open()
    const { headers, session } = await signIn({ scope: 'shop:read' })
    const ask = (method: string, uri: string, of = { headers, session }) =>
      server.askLegacy(method, { uri }, of)
    for (const method of ['resources/read', 'resources/subscribe']) {
      // oxlint-disable-next-line no-await-in-loop
      const reply = await ask(method, 'shop://bills')
      expect(reply.status).toBe(403)
      expect(reply.headers.get('WWW-Authenticate')).toMatch(/error="insufficient_scope".*shop:pay/)
      // oxlint-disable-next-line no-await-in-loop
      const concealed = await ask(method, 'shop://safe')
      expect([concealed.status, concealed.body.error.code]).toEqual([200, -32002])
    }
    const more = await signIn({ scope: 'shop:read shop:pay' })
    expect((await ask('resources/subscribe', 'shop://bills', more)).body.result).toEqual({})
  })
})

// https://modelcontextprotocol.io/specification/2025-11-25/basic/security_best_practices
describe('basic/security_best_practices, "Session Hijacking"', () => {
  test('a session MUST NOT be used for authentication: it is bound to its caller', async () => {
    const { signIn } = await open()
    const [ada, eve] = await Promise.all([signIn({ sub: 'ada' }), signIn({ sub: 'eve' })])
    expect((await eve.call('look', ada.session)).status).toBe(404)
    expect((await ada.call('look')).status).toBe(200)
  })

  test('another caller cannot end it', async () => {
    const { server, signIn } = await open()
    const [ada, eve] = await Promise.all([signIn({ sub: 'ada' }), signIn({ sub: 'eve' })])
    const headers = { ...eve.headers, 'Mcp-Session-Id': ada.session }
    expect((await server.send(new Request(url, { method: 'DELETE', headers }))).status).toBe(404)
    expect((await ada.call('look')).status).toBe(200)
  })
})
