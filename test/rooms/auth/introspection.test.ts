import { afterEach, expect, test, vi } from 'vitest'
import { introspection } from '../../../src/auth/introspection.ts'
import { arriveWith, resource } from './arrival.ts'
import { now } from './issuer.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const endpoint = 'https://auth.example/introspect'
const env = { INTROSPECTION_SECRET: 'pass:word&' }
const options = { endpoint, client: { id: 'shop server', secret: 'INTROSPECTION_SECRET' } }
const active = { active: true, sub: 'ada', aud: resource, scope: 'shop:write', client_id: 'cli' }

/** Answers every introspection, and keeps what was asked. */
function answer(...answers: readonly (object | number)[]): Request[] {
  const asked: Request[] = []
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    asked.push(new Request(input, init))
    const next = answers[Math.min(asked.length, answers.length) - 1]
    return typeof next === 'number' ? new Response(null, { status: next }) : Response.json(next)
  })
  return asked
}

test('knows the caller of an active token', async () => {
  answer(active)
  const auth = introspection({ ...options, scopes: { 'shop:write': ['shop:read'] } })
  expect(await auth.authenticate(arriveWith('opaque', { env }))).toMatchObject({
    kind: 'caller',
    caller: { subject: 'ada', client: 'cli', scopes: ['shop:read', 'shop:write'] },
  })
})

test('asks as RFC 7662 says, and as its own client', async () => {
  const asked = answer(active)
  await introspection(options).authenticate(arriveWith('a+b/c', { env }))
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
  ['active in a manner of speaking', { ...active, active: 'true' }, 'The token is not active.'],
  [
    'for another server',
    { ...active, aud: 'https://x.example' },
    `The token is not for ${resource}.`,
  ],
  ['for nobody', { ...active, aud: undefined }, `The token is not for ${resource}.`],
  ['of nobody', { ...active, sub: undefined }, 'The token does not say who it is for.'],
])('refuses a token that is %s', async (_, answered, why) => {
  answer(answered)
  const refused = await introspection(options).authenticate(arriveWith('opaque', { env }))
  expect(refused).toEqual({ kind: 'refused', why })
})

test('takes another audience where one is said', async () => {
  answer({ ...active, aud: ['shop'] })
  const auth = introspection({ ...options, audience: 'shop' })
  expect(await auth.authenticate(arriveWith('opaque', { env }))).toMatchObject({ kind: 'caller' })
})

test('asks once in half a minute', async () => {
  const asked = answer(active, { active: false })
  const auth = introspection(options)
  const judge = () => auth.authenticate(arriveWith('opaque', { env }))
  await judge()
  expect(await judge()).toMatchObject({ kind: 'caller' })
  expect(asked).toHaveLength(1)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30_001 })
  expect(await judge()).toMatchObject({ kind: 'refused' })
})

test('no answer is kept past the expiry of the token', async () => {
  const asked = answer({ ...active, exp: now() + 5 }, { active: false })
  const auth = introspection(options)
  await auth.authenticate(arriveWith('opaque', { env }))
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5_001 })
  expect(await auth.authenticate(arriveWith('opaque', { env }))).toMatchObject({ kind: 'refused' })
  expect(asked).toHaveLength(2)
})

test('what is known of a token on one host says nothing on another', async () => {
  answer(active)
  const auth = introspection(options)
  await auth.authenticate(arriveWith('opaque', { env }))
  const elsewhere = arriveWith('opaque', { env, resource: 'https://till.example/mcp' })
  expect(await auth.authenticate(elsewhere)).toMatchObject({ kind: 'refused' })
})

test('refusals are not kept', async () => {
  const asked = answer({ active: false }, active)
  const auth = introspection(options)
  await auth.authenticate(arriveWith('opaque', { env }))
  expect(await auth.authenticate(arriveWith('opaque', { env }))).toMatchObject({ kind: 'caller' })
  expect(asked).toHaveLength(2)
})

test.each<[string, object, number, string]>([
  ['the endpoint fails', env, 500, `${endpoint} answered 500.`],
  ['the endpoint does not know this server', env, 401, `${endpoint} answered 401.`],
  ['the secret is not set', {}, 200, '`wrangler secret put INTROSPECTION_SECRET`'],
])('nobody can tell when %s', async (_, env, status, reason) => {
  answer(status)
  const authenticating = introspection(options).authenticate(arriveWith('opaque', { env }))
  await expect(authenticating).rejects.toThrow(reason)
})

test('clients are sent to the issuer, which is at the origin of the endpoint unless said', () => {
  expect(introspection(options).authorizationServers(resource)).toEqual(['https://auth.example'])
  const issuer = 'https://auth.example/tenant'
  expect(introspection({ ...options, issuer }).authorizationServers(resource)).toEqual([issuer])
})

test('says at start that the endpoint is not secure', () => {
  expect(() => introspection({ ...options, endpoint: 'http://auth.example/x' })).toThrow(
    'endpoint is "http://auth.example/x"',
  )
})
