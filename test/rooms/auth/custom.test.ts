import { expect, test } from 'vitest'
import { custom } from '../../../src/auth/custom.ts'
import { createAuthContext, createBearerContext, resource } from './auth-context.ts'

const auth = custom(({ headers, env }) => {
  if (headers.get('X-User') === null) return null
  if (Reflect.get(env, 'BROKEN') === true) throw new Error('The directory is down.')
  return { subject: headers.get('X-User') ?? '', scopes: ['read'] }
})
const user = { headers: { 'X-User': 'ada' } }

test('returns the caller that the code identifies', async () => {
  expect(await auth.authenticate(createAuthContext(user))).toEqual({
    kind: 'caller',
    caller: { subject: 'ada', scopes: ['read'], claims: {} },
  })
})

test('treats a request without credentials as anonymous if the code returns null', async () => {
  expect(await auth.authenticate(createAuthContext())).toEqual({ kind: 'anonymous' })
})

test('refuses an Authorization header for which the code returns null', async () => {
  expect(await auth.authenticate(createBearerContext('bad'))).toMatchObject({ kind: 'refused' })
})

test('throws what the code throws', async () => {
  const authenticating = auth.authenticate(createAuthContext({ ...user, env: { BROKEN: true } }))
  await expect(authenticating).rejects.toThrow('The directory is down.')
})

test('has no authorization server', () => {
  expect(auth.authorizationServers(resource)).toEqual([])
})
