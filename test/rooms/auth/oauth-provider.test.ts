import { expect, test } from 'vitest'
import { oauthProvider } from '../../../src/auth/oauth-provider.ts'
import { createAuthContext, createBearerContext, resource } from './auth-context.ts'

const expiresAt = Math.floor(Date.now() / 1_000) + 600
const auth = { userId: 'ada', clientId: 'cli', scope: ['write'], expiresAt, token: 's3cret' }
const props = { email: 'ada@example.com' }

test('returns the caller that the provider has verified', async () => {
  const provider = oauthProvider({ scopes: { write: ['read'] } })
  expect(await provider.authenticate(createAuthContext({ ctx: { auth, props } }))).toEqual({
    kind: 'caller',
    caller: {
      subject: 'ada',
      client: 'cli',
      scopes: ['read', 'write'],
      claims: props,
      expires: expiresAt * 1_000,
    },
  })
})

test('leaves out members that the provider does not have', async () => {
  const ctx = { auth: { userId: 'ada', scope: [] }, props: undefined }
  expect(await oauthProvider().authenticate(createAuthContext({ ctx }))).toEqual({
    kind: 'caller',
    caller: { subject: 'ada', scopes: [], claims: {} },
  })
})

test.each<[string, object]>([
  ['the Worker is not wrapped', {}],
  ['there are only props', { props: { userId: 'root' } }],
])('treats a request with a token as anonymous if %s', async (_, ctx) => {
  expect(await oauthProvider().authenticate(createBearerContext('token', { ctx }))).toEqual({
    kind: 'anonymous',
  })
})

test.each<[string, object]>([
  ['there is no user', { scope: [] }],
  ['the user is empty', { ...auth, userId: '' }],
  ['there are no scopes', { userId: 'ada' }],
  ['a scope is not a text', { ...auth, scope: ['write', 1] }],
  ['the expiry is a text', { ...auth, expiresAt: '10' }],
  ['it is empty', {}],
])('throws for what the provider would not say: %s', async (_, auth) => {
  const authenticating = oauthProvider().authenticate(createAuthContext({ ctx: { auth } }))
  await expect(authenticating).rejects.toThrow('of the caller is')
})

test('refuses what has expired', async () => {
  const ctx = { auth: { ...auth, expiresAt: 10 }, props }
  expect(await oauthProvider().authenticate(createAuthContext({ ctx }))).toEqual({
    kind: 'refused',
    why: 'The credentials have expired.',
  })
})

test('names the Worker itself as the authorization server', () => {
  expect(oauthProvider().authorizationServers(resource)).toEqual(['https://shop.example'])
})
