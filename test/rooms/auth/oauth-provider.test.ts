import { expect, test } from 'vitest'
import { oauthProvider } from '../../../src/auth/oauth-provider.ts'
import { createAuthContext, createBearerContext, resource } from './auth-context.ts'

const auth = { userId: 'ada', clientId: 'cli', scope: ['write'], expiresAt: 10, token: 's3cret' }
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
      expires: 10_000,
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
  ['there is no user', { auth: { scope: [] } }],
  ['there are no scopes', { auth: { userId: 'ada' } }],
])('treats a request with a token as anonymous if %s', async (_, ctx) => {
  expect(await oauthProvider().authenticate(createBearerContext('token', { ctx }))).toEqual({
    kind: 'anonymous',
  })
})

test('names the Worker itself as the authorization server', () => {
  expect(oauthProvider().authorizationServers(resource)).toEqual(['https://shop.example'])
})
