import { expect, test, vi } from 'vitest'
import { custom } from '../../../src/auth/custom.ts'
import { RefusalLimit } from '../../../src/auth/request/request-limit.ts'
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

test.each([
  ['which the code looked up', 5, false, 30],
  ['for which the code asked nobody', 0, false, 40],
  ['for optional authentication', 5, true, 40],
])(
  'of requests without a caller, %s, a bounded number is looked at',
  async (_, ms, isOptional, most) => {
    const looked = vi.fn<() => Promise<null>>(async () => {
      if (ms > 0) await scheduler.wait(ms)
      return null
    })
    const refusals = new RefusalLimit({ window: undefined, allowsAnonymous: isOptional })
    const sessions = custom(looked)
    const context = { ...user, refusals }
    await Promise.allSettled(
      Array.from({ length: 40 }, () => sessions.authenticate(createAuthContext(context))),
    )
    expect(looked).toHaveBeenCalledTimes(most)
  },
)

test('throws what the code throws', async () => {
  const authenticating = auth.authenticate(createAuthContext({ ...user, env: { BROKEN: true } }))
  await expect(authenticating).rejects.toThrow('The directory is down.')
})

test('has no authorization server', () => {
  expect(auth.authorizationServers(resource)).toEqual([])
})
