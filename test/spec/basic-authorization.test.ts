import { afterEach, expect, test, vi } from 'vitest'
import { defineTool } from 'helve'
import { jwt } from '../../src/auth/jwt.ts'
import { optionalAuth } from '../../src/auth/optional-auth.ts'
import { resource } from '../rooms/auth/auth-context.ts'
import { type Claims, createIssuer, now } from '../rooms/auth/issuer.ts'
import { toModernRequest } from '../support/modern-request.ts'
import { createServer } from './server.ts'

// https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization

const hints = { readOnly: true }
const tools = {
  look: defineTool({ description: 'Looks.', scopes: ['shop:read'], hints, run: () => 'seen' }),
  pay: defineTool({
    description: 'Pays.',
    scopes: ['shop:pay', 'shop:write'],
    run: () => 'paid',
  }),
  whoami: defineTool({
    description: 'Says who calls.',
    run: ({ caller }) => JSON.stringify(caller),
  }),
}

const metadataUrl = 'https://shop.example/.well-known/oauth-protected-resource/mcp'

afterEach(() => vi.restoreAllMocks())

/** A server that trusts an issuer, and a way to ask it with a token of these claims. */
async function open(scopes: Readonly<Record<string, readonly string[]>> = {}) {
  const issuer = await createIssuer()
  const auth = jwt({ issuer: issuer.url, scopes })
  const server = createServer({ auth, resource }, tools)
  const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } })
  return {
    server,
    issuer,
    callWith: (token: string, name: string) => server.ask('tools/call', { name }, bearer(token)),
    call: async (name: string, claims: Claims = {}) =>
      server.ask('tools/call', { name }, bearer(await issuer.sign(claims))),
  }
}

test('MUST serve the metadata of RFC 9728, with an authorization server', async () => {
  const { server, issuer } = await open()
  const { status, text } = await server.send(new Request(metadataUrl))
  expect(status).toBe(200)
  expect(JSON.parse(text)).toMatchObject({ resource, authorization_servers: [issuer.url] })
})

test('a request without a token MUST get 401, with the URL of the metadata', async () => {
  const { server } = await open()
  const { status, headers } = await server.ask('tools/list')
  expect(status).toBe(401)
  const challenge = headers.get('WWW-Authenticate')
  expect(challenge).toContain(`resource_metadata="${metadataUrl}"`)
  expect(challenge, 'SHOULD name the scopes').toContain('scope="shop:read"')
})

test('every request MUST contain its token, on the same connection too', async () => {
  const { server, call } = await open()
  expect((await call('look')).status).toBe(200)
  expect((await server.ask('tools/call', { name: 'look' })).status).toBe(401)
})

test('a token in the query string MUST NOT be accepted', async () => {
  const { server, issuer } = await open()
  const token = await issuer.sign()
  const request = toModernRequest(`${resource}?access_token=${token}`, 'tools/list')
  expect((await server.send(request)).status).toBe(401)
})

test.each<[string, Claims]>([
  ['for another audience', { aud: 'https://elsewhere.example/mcp' }],
  ['for nobody in particular', { aud: undefined }],
  ['of another issuer', { iss: 'https://other.example' }],
  ['that has expired', { exp: now() - 3600 }],
  ['that begins later', { nbf: now() + 3600 }],
])('a token %s MUST get 401 and invalid_token', async (_, claims) => {
  const { call } = await open()
  const { status, headers } = await call('look', claims)
  expect(status).toBe(401)
  expect(headers.get('WWW-Authenticate')).toContain('error="invalid_token"')
})

test('a modified token MUST get 401', async () => {
  const { issuer, callWith } = await open()
  const [head = '', , seal = ''] = (await issuer.sign()).split('.')
  const [, claims = ''] = (await issuer.sign({ sub: 'eve' })).split('.')
  expect((await callWith(`${head}.${claims}.${seal}`, 'look')).status).toBe(401)
})

test('a malformed Authorization header MUST get 400', async () => {
  const { callWith } = await open()
  const { status, headers } = await callWith('two words', 'look')
  expect(status).toBe(400)
  expect(headers.get('WWW-Authenticate')).toContain('error="invalid_request"')
})

test('missing scopes SHOULD get 403, with all scopes that the call needs', async () => {
  const { call } = await open()
  const { status, headers } = await call('pay', { scope: 'shop:read shop:write' })
  expect(status).toBe(403)
  const challenge = headers.get('WWW-Authenticate')
  expect(challenge).toContain('error="insufficient_scope"')
  expect(challenge).toContain('scope="shop:pay shop:write"')
  expect(challenge).toContain(`resource_metadata="${metadataUrl}"`)
})

test('a scope MUST include the scopes that it implies', async () => {
  const { call } = await open({ 'shop:all': ['shop:write', 'shop:pay'] })
  const { body } = await call('pay', { scope: 'shop:all' })
  expect(body.result.content).toEqual([{ type: 'text', text: 'paid' }])
})

test('challenges and metadata SHOULD NOT contain offline_access', async () => {
  const { server, call } = await open()
  const texts = [
    (await server.send(new Request(metadataUrl))).text,
    (await server.ask('tools/list')).headers.get('WWW-Authenticate'),
    (await call('pay')).headers.get('WWW-Authenticate'),
  ]
  expect(texts.join('\n')).not.toContain('offline_access')
})

test('the token MUST NOT be passed on: tools receive the caller without any part of the token', async () => {
  const { issuer, callWith } = await open()
  const token = await issuer.sign()
  const { text, body } = await callWith(token, 'whoami')
  const caller = JSON.parse(body.result.content[0].text)
  expect(caller).toMatchObject({ subject: 'ada', scopes: ['shop:read'] })
  expect(token.split('.').filter((part) => text.includes(part))).toEqual([])
})

test('an invalid token MUST be refused where authentication is optional', async () => {
  const issuer = await createIssuer()
  const server = createServer({ auth: optionalAuth(jwt({ issuer: issuer.url })), resource }, tools)
  const headers = { Authorization: 'Bearer bad.token.here' }
  expect((await server.ask('tools/list')).status).toBe(200)
  expect((await server.ask('tools/list', {}, { headers })).status).toBe(401)
})
