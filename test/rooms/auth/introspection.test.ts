import { afterEach, expect, test, vi } from 'vitest'
import { introspection } from '../../../src/auth/introspection.ts'
import { createBearerContext, resource } from './auth-context.ts'
import { now } from './issuer.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const endpoint = 'https://auth.example/introspect'
const env = { INTROSPECTION_SECRET: 'pass:word&' }
const options = { endpoint, client: { id: 'shop server', secret: 'INTROSPECTION_SECRET' } }
const active = { active: true, sub: 'ada', aud: resource, scope: 'shop:write', client_id: 'cli' }

/** Answers introspection requests in this order, the last answer repeatedly; returns the requests. */
function answer(...answers: readonly (object | number)[]): Request[] {
  const asked: Request[] = []
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    asked.push(new Request(input, init))
    const next = answers[Math.min(asked.length, answers.length) - 1]
    return typeof next === 'number' ? new Response(null, { status: next }) : Response.json(next)
  })
  return asked
}

test('returns the caller of an active token', async () => {
  answer(active)
  const auth = introspection({ ...options, scopes: { 'shop:write': ['shop:read'] } })
  expect(await auth.authenticate(createBearerContext('opaque', { env }))).toMatchObject({
    kind: 'caller',
    caller: { subject: 'ada', client: 'cli', scopes: ['shop:read', 'shop:write'] },
  })
})

test('sends the request of RFC 7662, authenticated as its own client', async () => {
  const asked = answer(active)
  await introspection(options).authenticate(createBearerContext('a+b/c', { env }))
  const [request] = asked
  expect(request?.method).toBe('POST')
  expect(request?.url).toBe(endpoint)
  expect(request?.headers.get('Authorization')).toBe(`Basic ${btoa('shop+server:pass%3Aword%26')}`)
  expect([...((await request?.formData()) ?? [])]).toEqual([
    ['token', 'a+b/c'],
    ['token_type_hint', 'access_token'],
  ])
})

test.each<[string, object, string]>([
  ['not active', { active: false }, 'The token is not active.'],
  ['active only as a string', { ...active, active: 'true' }, 'The token is not active.'],
  [
    'for another server',
    { ...active, aud: 'https://x.example' },
    `The audience (aud) of the token does not include ${resource}.`,
  ],
  [
    'without an audience',
    { ...active, aud: undefined },
    `The audience (aud) of the token does not include ${resource}.`,
  ],
  ['without a subject', { ...active, sub: undefined }, 'The token has no subject (sub).'],
  ['active after its expiry', { ...active, exp: now() - 1 }, 'The token has expired.'],
  [
    'of a scope that is a number',
    { ...active, scope: 7 },
    'The scopes (scope) of the token are neither a text nor a list of texts.',
  ],
])('refuses a token that is %s', async (_, answered, why) => {
  answer(answered)
  const refused = await introspection(options).authenticate(createBearerContext('opaque', { env }))
  expect(refused).toEqual({ kind: 'refused', why })
})

test('accepts the configured audience', async () => {
  answer({ ...active, aud: ['shop'] })
  const auth = introspection({ ...options, audience: 'shop' })
  expect(await auth.authenticate(createBearerContext('opaque', { env }))).toMatchObject({
    kind: 'caller',
  })
})

test('asks once in 30 seconds', async () => {
  const asked = answer(active, { active: false })
  const auth = introspection(options)
  const authenticate = () => auth.authenticate(createBearerContext('opaque', { env }))
  await authenticate()
  expect(await authenticate()).toMatchObject({ kind: 'caller' })
  expect(asked).toHaveLength(1)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30_001 })
  expect(await authenticate()).toMatchObject({ kind: 'refused' })
})

test('caches no answer past the expiry of the token', async () => {
  const exp = now() + 5
  const asked = answer({ ...active, exp }, { active: false })
  const auth = introspection(options)
  await auth.authenticate(createBearerContext('opaque', { env }))
  vi.useFakeTimers({ toFake: ['Date'], now: exp * 1_000 })
  expect(await auth.authenticate(createBearerContext('opaque', { env }))).toMatchObject({
    kind: 'refused',
  })
  expect(asked).toHaveLength(2)
})

test('does not reuse the answer for one host on another', async () => {
  answer(active)
  const auth = introspection(options)
  await auth.authenticate(createBearerContext('opaque', { env }))
  const elsewhere = createBearerContext('opaque', { env, resource: 'https://till.example/mcp' })
  expect(await auth.authenticate(elsewhere)).toMatchObject({ kind: 'refused' })
})

test.each<[string, object, number, string]>([
  ['the endpoint fails', env, 500, `${endpoint} returned status 500 instead of 200.`],
  ['the endpoint refuses this server', env, 401, `${endpoint} returned status 401 instead of 200.`],
  ['the secret is not set', {}, 200, '`wrangler secret put INTROSPECTION_SECRET`'],
])('throws if %s', async (_, env, status, reason) => {
  answer(status)
  const authenticating = introspection(options).authenticate(createBearerContext('opaque', { env }))
  await expect(authenticating).rejects.toThrow(reason)
})

test('sends clients to the issuer, which is the origin of the endpoint by default', () => {
  expect(introspection(options).authorizationServers(resource)).toEqual(['https://auth.example'])
  const issuer = 'https://auth.example/tenant'
  expect(introspection({ ...options, issuer }).authorizationServers(resource)).toEqual([issuer])
})

test('throws at start if the endpoint is not secure', () => {
  expect(() => introspection({ ...options, endpoint: 'http://auth.example/x' })).toThrow(
    '`endpoint` is "http://auth.example/x"',
  )
})
