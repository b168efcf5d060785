import { base64url, exportSPKI, generateKeyPair, importJWK, SignJWT, UnsecuredJWT } from 'jose'
import { afterEach, expect, test, vi } from 'vitest'
import type { Authenticated } from '../../../src/define/authenticator.ts'
import { type JwtOptions, jwt } from '../../../src/auth/jwt.ts'
import { arrive, arriveWith, resource } from './arrival.ts'
import { createIssuer, now, type Claims, type Issuer } from './issuer.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** Has a token judged by a server that trusts `issuer`. */
async function judge(
  issuer: Issuer,
  token: string,
  options: Partial<JwtOptions> = {},
): Promise<Authenticated> {
  return jwt({ issuer: issuer.url, ...options }).authenticate(arriveWith(token))
}

const refused = (why: string): Authenticated => ({ kind: 'refused', why })
const unverifiable = refused('The token is not one that this server can verify.')

test('knows the caller of a good token', async () => {
  const issuer = await createIssuer()
  const exp = now() + 60
  const token = await issuer.sign({ exp, client_id: 'editor', scope: 'shop:write shop:read' })
  expect(await judge(issuer, token)).toMatchObject({
    kind: 'caller',
    caller: {
      subject: 'ada',
      issuer: issuer.url,
      client: 'editor',
      scopes: ['shop:read', 'shop:write'],
      expires: exp * 1000,
    },
  })
})

test('no part of the token itself is with the caller', async () => {
  const issuer = await createIssuer()
  const token = await issuer.sign()
  const text = JSON.stringify(await judge(issuer, token))
  expect(token.split('.').filter((part) => text.includes(part))).toEqual([])
})

test('a scope brings those that it implies', async () => {
  const issuer = await createIssuer()
  const scopes = { 'shop:admin': ['shop:write'], 'shop:write': ['shop:read'] }
  expect(await judge(issuer, await issuer.sign({ scope: 'shop:admin' }), { scopes })).toMatchObject(
    { caller: { scopes: ['shop:admin', 'shop:read', 'shop:write'] } },
  )
})

test.each(['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'])('verifies %s', async (alg) => {
  const issuer = await createIssuer('https://auth.example', alg)
  expect(await judge(issuer, await issuer.sign())).toMatchObject({ kind: 'caller' })
})

test.each<[string, Claims, { typ?: string }, string]>([
  ['expired', { exp: now() - 60 }, {}, 'The token has expired.'],
  ['without an end', { exp: undefined }, {}, "The token's claim exp is missing or wrong."],
  ['not valid yet', { nbf: now() + 3600 }, {}, 'The token is not valid yet.'],
  ['of another issuer', { iss: 'https://evil.example' }, {}, 'The token is from another issuer.'],
  ['of nobody', { sub: undefined }, {}, "The token's claim sub is missing or wrong."],
  ['of an empty subject', { sub: '' }, {}, 'The token does not say who it is for.'],
  [
    'for another server',
    { aud: 'https://other.example/mcp' },
    {},
    `The token is not for ${resource}.`,
  ],
  [
    'for another endpoint',
    { aud: 'https://shop.example/api' },
    {},
    `The token is not for ${resource}.`,
  ],
  ['for nobody', { aud: undefined }, {}, `The token is not for ${resource}.`],
  ['for a logout', {}, { typ: 'logout+jwt' }, 'The token is not an access token.'],
  ['that proves possession', {}, { typ: 'dpop+jwt' }, 'The token is not an access token.'],
])('refuses a token %s', async (_, claims, header, why) => {
  const issuer = await createIssuer()
  const token = await issuer.sign(claims, header)
  expect(await judge(issuer, token)).toEqual(refused(why))
})

test('clocks may differ by half a minute', async () => {
  const issuer = await createIssuer()
  const token = await issuer.sign({ exp: now() - 20, nbf: now() + 20 })
  expect(await judge(issuer, token)).toMatchObject({ kind: 'caller' })
})

test('refuses a token that is signed by nobody', async () => {
  const issuer = await createIssuer()
  const token = new UnsecuredJWT({ sub: 'ada', aud: resource })
    .setIssuer(issuer.url)
    .setExpirationTime('5m')
    .encode()
  expect(await judge(issuer, token)).toEqual(unverifiable)
  expect(await judge(issuer, `${token}AAAA`)).toEqual(unverifiable)
})

test('refuses a token that is signed with the public key as an HMAC secret', async () => {
  const issuer = await createIssuer('https://auth.example', 'RS256')
  const [jwk] = issuer.keys
  const key = await importJWK({ ...jwk }, 'RS256', { extractable: true })
  if (key instanceof Uint8Array) throw new Error('A public key was expected.')
  const secret = new TextEncoder().encode(await exportSPKI(key))
  const token = await new SignJWT({ sub: 'ada', aud: resource, iss: issuer.url })
    .setProtectedHeader({ alg: 'HS256', kid: 'first', typ: 'at+jwt' })
    .setExpirationTime('5m')
    .sign(secret)
  expect(await judge(issuer, token)).toEqual(unverifiable)
})

test('refuses an HMAC even where the issuer publishes its secret as a key', async () => {
  const issuer = await createIssuer()
  const secret = new TextEncoder().encode('a secret of at least thirty-two bytes')
  issuer.keys.push({ kty: 'oct', k: base64url.encode(secret), kid: 'shared', alg: 'HS256' })
  const token = await new SignJWT({ sub: 'ada', aud: resource, iss: issuer.url })
    .setProtectedHeader({ alg: 'HS256', kid: 'shared', typ: 'at+jwt' })
    .setExpirationTime('5m')
    .sign(secret)
  expect(await judge(issuer, token)).toEqual(unverifiable)
})

test('refuses a key that the token brings along', async () => {
  const issuer = await createIssuer()
  const { privateKey } = await generateKeyPair('ES256')
  const token = await new SignJWT({ sub: 'ada', aud: resource, iss: issuer.url })
    .setProtectedHeader({ alg: 'ES256', kid: 'first', jku: 'https://evil.example/keys' })
    .setExpirationTime('5m')
    .sign(privateKey)
  expect(await judge(issuer, token)).toEqual(unverifiable)
  expect(issuer.fetched).not.toContain('https://evil.example/keys')
})

test('refuses a token that was changed', async () => {
  const issuer = await createIssuer()
  const [header, , signature] = (await issuer.sign()).split('.')
  const claims = { iss: issuer.url, aud: resource, sub: 'root', exp: now() + 300 }
  const forged = base64url.encode(JSON.stringify(claims))
  expect(await judge(issuer, `${header}.${forged}.${signature}`)).toEqual(unverifiable)
})

test('refuses an algorithm that is not on the list', async () => {
  const issuer = await createIssuer()
  const token = await issuer.sign()
  expect(await judge(issuer, token, { algorithms: ['RS256'] })).toEqual(unverifiable)
  expect(await judge(issuer, token, { algorithms: ['ES256'] })).toMatchObject({ kind: 'caller' })
})

test('takes another audience where one is said, and then no longer its own URL', async () => {
  const issuer = await createIssuer()
  const options = { audience: ['api://shop', 'api://till'] }
  const token = await issuer.sign({ aud: ['api://till', 'x'] })
  expect(await judge(issuer, token, options)).toMatchObject({ kind: 'caller' })
  expect(await judge(issuer, await issuer.sign(), options)).toEqual(
    refused('The token is not for api://shop or api://till.'),
  )
})

test('a token for one host of the Worker is not one for another', async () => {
  const issuer = await createIssuer()
  const auth = jwt({ issuer: issuer.url })
  const token = await issuer.sign()
  expect(await auth.authenticate(arriveWith(token))).toMatchObject({ kind: 'caller' })
  const elsewhere = arriveWith(token, { resource: 'https://till.example/mcp' })
  expect(await auth.authenticate(elsewhere)).toMatchObject({ kind: 'refused' })
})

test('a token that expires after it was proved is refused from then on', async () => {
  const issuer = await createIssuer()
  const auth = jwt({ issuer: issuer.url })
  const token = await issuer.sign({ exp: now() + 10 })
  expect(await auth.authenticate(arriveWith(token))).toMatchObject({ kind: 'caller' })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 41_000 })
  expect(await auth.authenticate(arriveWith(token))).toEqual(refused('The token has expired.'))
})

test('verifies a signature once, and again when the keys were fetched again', async () => {
  const issuer = await createIssuer()
  const auth = jwt({ issuer: issuer.url })
  const token = await issuer.sign({ exp: now() + 3600 })
  const verify = vi.spyOn(crypto.subtle, 'verify')
  await auth.authenticate(arriveWith(token))
  await auth.authenticate(arriveWith(token))
  expect(verify).toHaveBeenCalledTimes(1)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 601_000 })
  await auth.authenticate(arriveWith(token))
  expect(verify).toHaveBeenCalledTimes(2)
})

test('a key that was withdrawn works for ten minutes at most', async () => {
  const issuer = await createIssuer()
  const auth = jwt({ issuer: issuer.url })
  const token = await issuer.sign({ exp: now() + 3600 })
  expect(await auth.authenticate(arriveWith(token))).toMatchObject({ kind: 'caller' })
  await issuer.rotate('second')
  expect(await auth.authenticate(arriveWith(token))).toMatchObject({ kind: 'caller' })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 601_000 })
  expect(await auth.authenticate(arriveWith(token))).toEqual(unverifiable)
})

test('a new key is found as soon as a token is signed with it', async () => {
  const issuer = await createIssuer()
  const auth = jwt({ issuer: issuer.url })
  await auth.authenticate(arriveWith(await issuer.sign()))
  await issuer.rotate('second', { keep: true })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 })
  const token = await issuer.sign()
  expect(await auth.authenticate(arriveWith(token))).toMatchObject({ kind: 'caller' })
})

test('a hundred tokens of an unknown key are one fetch, and so are the next hundred', async () => {
  const issuer = await createIssuer()
  const auth = jwt({ issuer: issuer.url, jwks: `${issuer.url}/keys` })
  await auth.authenticate(arriveWith(await issuer.sign()))
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 })
  const forged = await issuer.sign({}, { kid: 'made up' })
  const storm = () =>
    Promise.all(Array.from({ length: 100 }, () => auth.authenticate(arriveWith(forged))))
  issuer.fetched.length = 0
  expect((await storm()).every(({ kind }) => kind === 'refused')).toBe(true)
  expect(issuer.fetched).toEqual([`${issuer.url}/keys`])
  await storm()
  expect(issuer.fetched).toHaveLength(1)
})

test('a hundred first requests are one discovery and one fetch of keys', async () => {
  const issuer = await createIssuer()
  const auth = jwt({ issuer: issuer.url })
  const token = await issuer.sign()
  const all = await Promise.all(
    Array.from({ length: 100 }, () => auth.authenticate(arriveWith(token))),
  )
  expect(all.every(({ kind }) => kind === 'caller')).toBe(true)
  expect(issuer.fetched).toHaveLength(2)
})

test('serves on with the keys that it has while the issuer is out of reach', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const issuer = await createIssuer()
  const auth = jwt({ issuer: issuer.url, jwks: `${issuer.url}/keys` })
  const token = await issuer.sign({ exp: now() + 7200 })
  await auth.authenticate(arriveWith(token))
  issuer.answers.set(`${issuer.url}/keys`, () => new Response(null, { status: 500 }))
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
  expect(await auth.authenticate(arriveWith(token))).toMatchObject({ kind: 'caller' })
  expect(log.mock.lastCall?.[0]).toContain(`${issuer.url}/keys answered 500.`)
  // it is not asked again with every request
  await auth.authenticate(arriveWith(token))
  expect(issuer.fetched).toHaveLength(2)
})

test('without keys nobody can tell, which is not the fault of the caller', async () => {
  const issuer = await createIssuer()
  issuer.answers.set(`${issuer.url}/keys`, () => Promise.reject(new Error('no route')))
  const auth = jwt({ issuer: issuer.url })
  const token = await issuer.sign()
  await expect(auth.authenticate(arriveWith(token))).rejects.toThrow('no route')
  // and a second later it is tried again
  issuer.answers.set(`${issuer.url}/keys`, () => Response.json({ keys: issuer.keys }))
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1_500 })
  expect(await auth.authenticate(arriveWith(token))).toMatchObject({ kind: 'caller' })
})

test.each<[string, object]>([
  ['no list', { keys: 'none' }],
  ['something else than keys', { keys: [1] }],
])('a key set that has %s is an outage', async (_, keys) => {
  const issuer = await createIssuer()
  issuer.answers.set(`${issuer.url}/keys`, () => Response.json(keys))
  await expect(judge(issuer, await issuer.sign())).rejects.toThrow('no keys to check tokens with')
})

test('tells a missing token from a malformed one', async () => {
  const issuer = await createIssuer()
  const auth = jwt({ issuer: issuer.url })
  expect(await auth.authenticate(arrive())).toEqual({ kind: 'anonymous' })
  const malformed = arrive({ headers: { Authorization: 'Bearer a b' } })
  expect(await auth.authenticate(malformed)).toEqual({ kind: 'malformed' })
  expect(issuer.fetched).toEqual([])
})

test.each<[string, Partial<JwtOptions>]>([
  ['issuer is "auth.example"', { issuer: 'auth.example' }],
  ['issuer is "http://auth.example"', { issuer: 'http://auth.example' }],
  ['jwks is "http://auth.example/keys"', { jwks: 'http://auth.example/keys' }],
  ['`algorithms` has no entry', { algorithms: [] }],
])('says at start that %s', (sentence, options) => {
  expect(() => jwt({ issuer: 'https://auth.example', ...options })).toThrow(sentence)
})

test('an HMAC cannot be asked for', () => {
  // @ts-expect-error an HMAC's secret would be with everybody who can verify
  expect(() => jwt({ issuer: 'https://auth.example', algorithms: ['HS256'] })).toThrow('"HS256"')
})

test('the issuer may be on the same machine', () => {
  expect(jwt({ issuer: 'http://127.0.0.1:9000' }).authorizationServers(resource)).toEqual([
    'http://127.0.0.1:9000',
  ])
})
