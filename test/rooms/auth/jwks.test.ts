import { afterEach, expect, test, vi } from 'vitest'
import { jwt } from '../../../src/auth/jwt.ts'
import { createBearerContext } from './auth-context.ts'
import { createIssuer, now } from './issuer.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

test('a withdrawn key works for ten minutes at most', async () => {
  const issuer = await createIssuer()
  const auth = jwt({ issuer: issuer.url })
  const token = await issuer.sign({ exp: now() + 3600 })
  expect(await auth.authenticate(createBearerContext(token))).toMatchObject({ kind: 'caller' })
  await issuer.rotate('second')
  expect(await auth.authenticate(createBearerContext(token))).toMatchObject({ kind: 'caller' })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 601_000 })
  expect(await auth.authenticate(createBearerContext(token))).toMatchObject({ kind: 'refused' })
})

test('keys are not fetched again before ten minutes are over', async () => {
  const issuer = await createIssuer()
  const auth = jwt({ issuer: issuer.url, jwks: `${issuer.url}/keys` })
  const token = await issuer.sign({ exp: now() + 3600 })
  const began = Date.now()
  await auth.authenticate(createBearerContext(token))
  for (const [seconds, fetches] of [
    [31, 1],
    [590, 1],
    [610, 2],
  ] as const) {
    vi.useFakeTimers({ toFake: ['Date'], now: began + seconds * 1_000 })
    // oxlint-disable-next-line no-await-in-loop
    expect(await auth.authenticate(createBearerContext(token))).toMatchObject({ kind: 'caller' })
    expect(issuer.fetched).toHaveLength(fetches)
  }
})

test('a new key is fetched as soon as a token is signed with it', async () => {
  const issuer = await createIssuer()
  const auth = jwt({ issuer: issuer.url })
  await auth.authenticate(createBearerContext(await issuer.sign()))
  await issuer.rotate('second', { keep: true })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 })
  const token = await issuer.sign()
  expect(await auth.authenticate(createBearerContext(token))).toMatchObject({ kind: 'caller' })
})

test('a hundred tokens with an unknown key id cause one fetch, and the next hundred none', async () => {
  const issuer = await createIssuer()
  const auth = jwt({ issuer: issuer.url, jwks: `${issuer.url}/keys` })
  await auth.authenticate(createBearerContext(await issuer.sign()))
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 })
  const forged = await issuer.sign({}, { kid: 'made up' })
  const storm = () =>
    Promise.all(Array.from({ length: 100 }, () => auth.authenticate(createBearerContext(forged))))
  issuer.fetched.length = 0
  expect((await storm()).every(({ kind }) => kind === 'refused')).toBe(true)
  expect(issuer.fetched).toEqual([`${issuer.url}/keys`])
  await storm()
  expect(issuer.fetched).toHaveLength(1)
})

test('a hundred first requests cause one discovery and one fetch of the keys', async () => {
  const issuer = await createIssuer()
  const auth = jwt({ issuer: issuer.url })
  const token = await issuer.sign()
  const all = await Promise.all(
    Array.from({ length: 100 }, () => auth.authenticate(createBearerContext(token))),
  )
  expect(all.every(({ kind }) => kind === 'caller')).toBe(true)
  expect(issuer.fetched).toHaveLength(2)
})

test('uses the previous keys while the issuer cannot be reached, and logs why', async () => {
  const log = vi.spyOn(console, 'warn').mockReturnValue()
  const issuer = await createIssuer()
  const auth = jwt({ issuer: issuer.url, jwks: `${issuer.url}/keys` })
  const token = await issuer.sign({ exp: now() + 7200 })
  await auth.authenticate(createBearerContext(token))
  issuer.answers.set(`${issuer.url}/keys`, () => new Response(null, { status: 500 }))
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
  expect(await auth.authenticate(createBearerContext(token))).toMatchObject({ kind: 'caller' })
  expect(log.mock.lastCall?.[0]).toContain('The previous keys stay in use.')
  expect(log.mock.lastCall?.[1]).toMatchObject({
    message: `${issuer.url}/keys returned status 500 instead of 200.`,
  })
  // it is not asked again with every request
  await auth.authenticate(createBearerContext(token))
  expect(issuer.fetched).toHaveLength(2)
})

test('throws while there are no keys, and tries again a second later', async () => {
  const issuer = await createIssuer()
  issuer.answers.set(`${issuer.url}/keys`, () => Promise.reject(new Error('no route')))
  const auth = jwt({ issuer: issuer.url })
  const token = await issuer.sign()
  await expect(auth.authenticate(createBearerContext(token))).rejects.toThrow('no route')
  issuer.answers.set(`${issuer.url}/keys`, () => Response.json({ keys: issuer.keys }))
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1_500 })
  expect(await auth.authenticate(createBearerContext(token))).toMatchObject({ kind: 'caller' })
})

test.each<[string, object]>([
  ['without an array of keys', { keys: 'none' }],
  ['with entries that are not objects', { keys: [1] }],
])('throws for a key set %s', async (_, keys) => {
  const issuer = await createIssuer()
  issuer.answers.set(`${issuer.url}/keys`, () => Response.json(keys))
  const auth = jwt({ issuer: issuer.url })
  const authenticating = auth.authenticate(createBearerContext(await issuer.sign()))
  await expect(authenticating).rejects.toThrow(
    'Tokens cannot be verified without the keys of the issuer.',
  )
})
