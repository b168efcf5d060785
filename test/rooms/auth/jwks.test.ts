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
  ['without a list of keys', {}],
  ['with another list of keys', { keys: 'none' }],
  ['with broken keys only', { keys: [1, { kty: 'RSA', n: '!', e: 'AQAB' }] }],
])('throws for a key set %s, and tries again a second later', async (_, keys) => {
  const issuer = await createIssuer()
  const answer = issuer.answers.get(`${issuer.url}/keys`)
  issuer.answers.set(`${issuer.url}/keys`, () => Response.json(keys))
  const auth = jwt({ issuer: issuer.url })
  const token = await issuer.sign()
  await expect(auth.authenticate(createBearerContext(token))).rejects.toThrow(
    'Tokens cannot be verified without the keys of the issuer.',
  )
  if (answer !== undefined) issuer.answers.set(`${issuer.url}/keys`, answer)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1_001 })
  expect(await auth.authenticate(createBearerContext(token))).toMatchObject({ kind: 'caller' })
})

const point = { kty: 'EC', crv: 'P-256' }
const broken: readonly (readonly [string, unknown, string])[] = [
  ['is not an object', 7, 'is not an object with a text `kty`.'],
  ['is null', null, 'is not an object with a text `kty`.'],
  ['has no type', { kid: 'x' }, 'is not an object with a text `kty`.'],
  ['has an unknown type', { kty: 'XYZ' }, 'has an unknown `kty` or `crv`.'],
  ['has an unknown curve', { ...point, crv: 'P-1' }, 'has an unknown `kty` or `crv`.'],
  ['is not on its curve', { ...point, x: 'AAAA', y: 'AAAA' }, 'cannot be imported'],
  ['has no coordinates', point, 'cannot be imported'],
  ['is not Base64url', { kty: 'RSA', n: '!!', e: 'AQAB' }, 'cannot be imported'],
  [
    'has another type than its algorithm',
    { kty: 'RSA', alg: 'ES256', n: 'AQAB' },
    'cannot be imported',
  ],
  ['has a use that is not a text', { ...point, use: 7, x: 'AA', y: 'AA' }, 'cannot be imported'],
  ['is a shared secret', { kty: 'oct', k: 'c2VjcmV0' }, 'is a private key or a shared secret'],
]

test.each(broken)('skips a key that %s, and says so once', async (_, key, problem) => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const issuer = await createIssuer()
  const keys = [key, ...issuer.keys, key]
  issuer.answers.set(`${issuer.url}/keys`, () => Response.json({ keys }))
  const auth = jwt({ issuer: issuer.url })
  for (const token of [await issuer.sign(), await issuer.sign({ sub: 'bob' })]) {
    // oxlint-disable-next-line no-await-in-loop
    expect(await auth.authenticate(createBearerContext(token))).toMatchObject({ kind: 'caller' })
  }
  const forged = await issuer.sign({}, { kid: 'x' })
  expect(await auth.authenticate(createBearerContext(forged))).toMatchObject({ kind: 'refused' })
  expect(warn.mock.calls).toHaveLength(1)
  expect(warn.mock.lastCall?.[0]).toContain('publishes 3 keys, of which 2 cannot be used: Key 1')
  expect(warn.mock.lastCall?.[0]).toContain(problem)
})

test('skips a private key, even the one that signs', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const issuer = await createIssuer()
  const leaked = { ...issuer.keys[0], d: issuer.keys[0]?.x, kid: 'leaked' }
  const keys = [leaked, ...issuer.keys]
  issuer.answers.set(`${issuer.url}/keys`, () => Response.json({ keys }))
  const auth = jwt({ issuer: issuer.url })
  const token = await issuer.sign({}, { kid: 'leaked' })
  expect(await auth.authenticate(createBearerContext(token))).toMatchObject({ kind: 'refused' })
  expect(warn.mock.lastCall?.[0]).toContain('is a private key or a shared secret')
  expect(warn.mock.lastCall?.[0]).not.toContain(leaked.d)
})

test.each<[string, object]>([
  ['for encryption', { use: 'enc' }],
  ['for another algorithm', { alg: 'ECDH-ES' }],
  ['for other operations', { use: undefined, key_ops: ['deriveKey'] }],
])('says nothing about a key %s, and does not use it', async (_, changes) => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const issuer = await createIssuer()
  const other = { ...issuer.keys[0], kid: 'other', ...changes }
  const keys = [...issuer.keys, other]
  issuer.answers.set(`${issuer.url}/keys`, () => Response.json({ keys }))
  const auth = jwt({ issuer: issuer.url })
  const good = createBearerContext(await issuer.sign())
  expect(await auth.authenticate(good)).toMatchObject({ kind: 'caller' })
  const token = await issuer.sign({}, { kid: 'other' })
  expect(await auth.authenticate(createBearerContext(token))).toMatchObject({ kind: 'refused' })
  expect(warn).not.toHaveBeenCalled()
})

test('a key that was broken works as soon as the issuer has mended it', async () => {
  vi.spyOn(console, 'warn').mockReturnValue()
  const issuer = await createIssuer()
  const [first] = issuer.keys
  await issuer.rotate('second', { keep: true })
  const second = { ...issuer.keys[1], x: 'AAAA' }
  issuer.answers.set(`${issuer.url}/keys`, () => Response.json({ keys: [first, second] }))
  const auth = jwt({ issuer: issuer.url })
  const token = await issuer.sign()
  expect(await auth.authenticate(createBearerContext(token))).toMatchObject({ kind: 'refused' })
  issuer.answers.set(`${issuer.url}/keys`, () => Response.json({ keys: issuer.keys }))
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30_001 })
  expect(await auth.authenticate(createBearerContext(token))).toMatchObject({ kind: 'caller' })
})

test('an empty list of keys refuses every token, and is fetched again for the next key', async () => {
  const issuer = await createIssuer()
  const token = await issuer.sign()
  const auth = jwt({ issuer: issuer.url })
  const answer = issuer.answers.get(`${issuer.url}/keys`) ?? (() => new Response())
  issuer.answers.set(`${issuer.url}/keys`, () => Response.json({ keys: [] }))
  expect(await auth.authenticate(createBearerContext(token))).toMatchObject({ kind: 'refused' })
  issuer.answers.set(`${issuer.url}/keys`, answer)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30_001 })
  expect(await auth.authenticate(createBearerContext(token))).toMatchObject({ kind: 'caller' })
})

test.each<[string, { kid?: string | undefined }]>([
  ['with one key id for several keys', { kid: 'first' }],
  ['without a key id', { kid: undefined }],
])('verifies a token %s', async (_, header) => {
  const issuer = await createIssuer()
  await issuer.rotate('first', { keep: true })
  await issuer.rotate('first', { keep: true })
  const auth = jwt({ issuer: issuer.url })
  for (const [claims, kind] of [
    [{}, 'caller'],
    [{ exp: now() - 60 }, 'refused'],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop
    const token = await issuer.sign(claims, header)
    // oxlint-disable-next-line no-await-in-loop
    expect(await auth.authenticate(createBearerContext(token))).toMatchObject({ kind })
  }
  await issuer.rotate('first')
  const forged = createBearerContext(await issuer.sign({}, header))
  expect(await auth.authenticate(forged)).toMatchObject({ kind: 'refused' })
})
