import { expect, test } from 'vitest'
import { custom } from '../../../src/auth/custom.ts'
import { arrive, arriveWith, resource } from './arrival.ts'

const auth = custom(({ headers, env }) => {
  if (headers.get('X-User') === null) return null
  if (Reflect.get(env, 'BROKEN') === true) throw new Error('The directory is down.')
  return { subject: headers.get('X-User') ?? '', scopes: ['read'] }
})
const user = { headers: { 'X-User': 'ada' } }

test('knows whom the code knows', async () => {
  expect(await auth.authenticate(arrive(user))).toEqual({
    kind: 'caller',
    caller: { subject: 'ada', scopes: ['read'], claims: {} },
  })
})

test('a request that proves nothing is from nobody', async () => {
  expect(await auth.authenticate(arrive())).toEqual({ kind: 'anonymous' })
})

test('credentials that prove nothing are refused', async () => {
  expect(await auth.authenticate(arriveWith('bad'))).toMatchObject({ kind: 'refused' })
})

test('nobody can tell when the code throws', async () => {
  const authenticating = auth.authenticate(arrive({ ...user, env: { BROKEN: true } }))
  await expect(authenticating).rejects.toThrow('The directory is down.')
})

test('clients are not sent anywhere', () => {
  expect(auth.authorizationServers(resource)).toEqual([])
})
