import { expect, test } from 'vitest'
import { oauthProvider } from '../../../src/auth/oauth-provider.ts'
import { arrive, arriveWith, resource } from './arrival.ts'

const auth = { userId: 'ada', clientId: 'cli', scope: ['write'], expiresAt: 10, token: 's3cret' }
const props = { email: 'ada@example.com' }

test('knows whom the provider has verified', async () => {
  const provider = oauthProvider({ scopes: { write: ['read'] } })
  expect(await provider.authenticate(arrive({ ctx: { auth, props } }))).toEqual({
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

test('what the provider does not know is not there', async () => {
  const ctx = { auth: { userId: 'ada', scope: [] }, props: undefined }
  expect(await oauthProvider().authenticate(arrive({ ctx }))).toEqual({
    kind: 'caller',
    caller: { subject: 'ada', scopes: [], claims: {} },
  })
})

test.each<[string, object]>([
  ['the Worker is not wrapped', {}],
  ['there are only props', { props: { userId: 'root' } }],
  ['there is no user', { auth: { scope: [] } }],
  ['there are no scopes', { auth: { userId: 'ada' } }],
])('there is nobody when %s, whatever token comes along', async (_, ctx) => {
  expect(await oauthProvider().authenticate(arriveWith('token', { ctx }))).toEqual({
    kind: 'anonymous',
  })
})

test('the Worker is its own authorization server', () => {
  expect(oauthProvider().authorizationServers(resource)).toEqual(['https://shop.example'])
})
