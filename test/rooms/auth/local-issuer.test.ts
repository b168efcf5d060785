import { afterEach, expect, test, vi } from 'vitest'
import { jwt } from '../../../src/auth/jwt.ts'
import { createLocalIssuer, localIssuerName } from '../../../src/auth/local-issuer.ts'
import { optionalAuth } from '../../../src/auth/optional-auth.ts'
import { createAuthContext, createBearerContext } from './auth-context.ts'
import { type Claims, createIssuer, now } from './issuer.ts'

afterEach(() => vi.restoreAllMocks())

/** A server whose own issuer is https://auth.example, as `wrangler dev` serves it. */
async function createLocal() {
  const local = await createIssuer(localIssuerName)
  // the last one answers `fetch`, which the local one must not need
  const own = await createIssuer()
  const auth = createLocalIssuer({ keys: local.keys }).extend(jwt({ issuer: own.url }))
  const sign = (claims?: Claims) => local.sign({ aud: localIssuerName, ...claims })
  return { own, auth, sign }
}

test('a token of the local issuer is that of its subject, with its scopes and claims', async () => {
  const { auth, sign } = await createLocal()
  const token = await sign({ sub: 'ada', scope: 'shop:read', team: 'kitchen' })
  expect(await auth.authenticate(createBearerContext(token))).toMatchObject({
    kind: 'caller',
    caller: {
      subject: 'ada',
      issuer: localIssuerName,
      scopes: ['shop:read'],
      claims: { team: 'kitchen' },
    },
  })
})

test.each([
  [
    'that has expired',
    { exp: now() - 60 },
    'The token has expired. Make another with `helve token`.',
  ],
  ['for another audience', { aud: 'https://shop.example/mcp' }, 'The audience (aud) of the token'],
])('a local token %s is refused', async (_, claims, why) => {
  const { auth, sign } = await createLocal()
  expect(await auth.authenticate(createBearerContext(await sign(claims)))).toEqual({
    kind: 'refused',
    why: expect.stringContaining(why),
  })
})

test('a local token of another project is refused', async () => {
  const { auth } = await createLocal()
  const other = await createLocal()
  const context = createBearerContext(await other.sign())
  expect(await auth.authenticate(context)).toMatchObject({
    kind: 'refused',
    why: expect.stringContaining('could not be verified'),
  })
})

test('the own authentication decides about all other requests', async () => {
  const { own, auth } = await createLocal()
  const token = await own.sign({ sub: 'bob' })
  expect(await auth.authenticate(createBearerContext(token))).toMatchObject({
    caller: { subject: 'bob', issuer: own.url },
  })
  expect(await auth.authenticate(createAuthContext())).toEqual({ kind: 'anonymous' })
  expect(auth.authorizationServers('https://shop.example/mcp')).toEqual([own.url])
  expect(auth.allowsAnonymous).toBe(false)
  expect(createLocalIssuer({ keys: [] }).extend(optionalAuth(auth)).allowsAnonymous).toBe(true)
})

test.each(['a.b.c', 'opaque', 'eyJhbGciOiJub25lIn0..'])(
  '%s is not a local token',
  async (token) => {
    const { auth } = await createLocal()
    const result = await auth.authenticate(createBearerContext(token))
    expect(result).toMatchObject({ kind: 'refused', why: expect.not.stringContaining('helve') })
  },
)
