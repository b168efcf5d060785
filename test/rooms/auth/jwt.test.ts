import { base64url, exportSPKI, generateKeyPair, importJWK, SignJWT, UnsecuredJWT } from 'jose'
import { afterEach, expect, test, vi } from 'vitest'
import type { AuthResult } from '../../../src/define/authenticator.ts'
import { type JwtOptions, jwt } from '../../../src/auth/jwt.ts'
import { createAuthContext, createBearerContext, resource } from './auth-context.ts'
import { createIssuer, now, type Claims, type Issuer } from './issuer.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** Authenticates a request with a token, at a server that trusts `issuer`. */
async function authenticate(
  issuer: Issuer,
  token: string,
  options: Partial<JwtOptions> = {},
): Promise<AuthResult> {
  return jwt({ issuer: issuer.url, ...options }).authenticate(createBearerContext(token))
}

const refused = (why: string): AuthResult => ({ kind: 'refused', why })
const unverifiable = refused('The token could not be verified with the keys of its issuer.')

test('returns the caller of a valid token', async () => {
  const issuer = await createIssuer()
  const exp = now() + 60
  const token = await issuer.sign({ exp, client_id: 'editor', scope: 'shop:write shop:read' })
  expect(await authenticate(issuer, token)).toMatchObject({
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

test('the caller contains no part of the token', async () => {
  const issuer = await createIssuer()
  const token = await issuer.sign()
  const text = JSON.stringify(await authenticate(issuer, token))
  expect(token.split('.').filter((part) => text.includes(part))).toEqual([])
})

test('adds the scopes that a scope implies', async () => {
  const issuer = await createIssuer()
  const scopes = { 'shop:admin': ['shop:write'], 'shop:write': ['shop:read'] }
  expect(
    await authenticate(issuer, await issuer.sign({ scope: 'shop:admin' }), { scopes }),
  ).toMatchObject({ caller: { scopes: ['shop:admin', 'shop:read', 'shop:write'] } })
})

test.each(['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'])('verifies %s', async (alg) => {
  const issuer = await createIssuer('https://auth.example', alg)
  expect(await authenticate(issuer, await issuer.sign())).toMatchObject({ kind: 'caller' })
})

test.each<[string, Claims, { typ?: string }, string]>([
  ['expired', { exp: now() - 60 }, {}, 'The token has expired.'],
  [
    'without an expiry',
    { exp: undefined },
    {},
    'The claim exp of the token is missing or invalid.',
  ],
  ['not valid yet', { nbf: now() + 3600 }, {}, 'The token is not valid yet.'],
  ['of another issuer', { iss: 'https://evil.example' }, {}, 'The token is from another issuer.'],
  [
    'without a subject',
    { sub: undefined },
    {},
    'The claim sub of the token is missing or invalid.',
  ],
  ['with an empty subject', { sub: '' }, {}, 'The token has no subject (sub).'],
  [
    'for another server',
    { aud: 'https://other.example/mcp' },
    {},
    `The audience (aud) of the token does not include ${resource}.`,
  ],
  [
    'for another endpoint',
    { aud: 'https://shop.example/api' },
    {},
    `The audience (aud) of the token does not include ${resource}.`,
  ],
  [
    'without an audience',
    { aud: undefined },
    {},
    `The audience (aud) of the token does not include ${resource}.`,
  ],
  ['for a logout', {}, { typ: 'logout+jwt' }, 'The token is not an access token.'],
  ['that is a proof of possession', {}, { typ: 'dpop+jwt' }, 'The token is not an access token.'],
])('refuses a token %s', async (_, claims, header, why) => {
  const issuer = await createIssuer()
  const token = await issuer.sign(claims, header)
  expect(await authenticate(issuer, token)).toEqual(refused(why))
})

test.each<[string, Claims, Claims]>([
  ['a type that is a number', {}, { typ: 7 }],
  ['a type that is null', {}, { typ: null }],
  ['a type that is a list', {}, { typ: ['at+jwt'] }],
  ['a type that is empty', {}, { typ: '' }],
  ['a key id that is a number', {}, { kid: 7 }],
  ['a key id that is null', {}, { kid: null }],
  ['an extension that nobody knows', {}, { crit: ['x'], x: 1 }],
  ['an expiry that is a text', { exp: String(now() + 300) }, {}],
  ['an expiry that is not a date', { exp: 1e306 }, {}],
  ['a beginning that is a text', { nbf: '0' }, {}],
  ['an issuer that is a list', { iss: ['https://auth.example'] }, {}],
  ['an audience that is a number', { aud: 7 }, {}],
  ['an audience that is an object', { aud: { 0: resource } }, {}],
  ['a scope that is a number', { scope: 7 }, {}],
  ['a scope that is an object', { scope: { 'shop:read': true } }, {}],
  ['a scope with a number', { scp: ['shop:read', 7] }, {}],
  ['a subject that is a number', { sub: 7 }, {}],
  ['a subject that is an object', { sub: {} }, {}],
])(
  'refuses a signed token with %s, and not as a fault of the server',
  async (_, claims, header) => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    const issuer = await createIssuer()
    const token = await issuer.signAnything(claims, header)
    expect(await authenticate(issuer, token)).toMatchObject({ kind: 'refused' })
    expect(warn).not.toHaveBeenCalled()
  },
)

test('allows clocks to differ by 30 seconds', async () => {
  const issuer = await createIssuer()
  const token = await issuer.sign({ exp: now() - 20, nbf: now() + 20 })
  expect(await authenticate(issuer, token)).toMatchObject({ kind: 'caller' })
})

test('refuses a token without a signature', async () => {
  const issuer = await createIssuer()
  const token = new UnsecuredJWT({ sub: 'ada', aud: resource })
    .setIssuer(issuer.url)
    .setExpirationTime('5m')
    .encode()
  expect(await authenticate(issuer, token)).toEqual(unverifiable)
  expect(await authenticate(issuer, `${token}AAAA`)).toEqual(unverifiable)
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
  expect(await authenticate(issuer, token)).toEqual(unverifiable)
})

test('refuses an HMAC even if the issuer publishes its secret as a key', async () => {
  const issuer = await createIssuer()
  const secret = new TextEncoder().encode('a secret of at least thirty-two bytes')
  issuer.keys.push({ kty: 'oct', k: base64url.encode(secret), kid: 'shared', alg: 'HS256' })
  const token = await new SignJWT({ sub: 'ada', aud: resource, iss: issuer.url })
    .setProtectedHeader({ alg: 'HS256', kid: 'shared', typ: 'at+jwt' })
    .setExpirationTime('5m')
    .sign(secret)
  expect(await authenticate(issuer, token)).toEqual(unverifiable)
})

test('does not fetch keys from a URL in the token', async () => {
  const issuer = await createIssuer()
  const { privateKey } = await generateKeyPair('ES256')
  const token = await new SignJWT({ sub: 'ada', aud: resource, iss: issuer.url })
    .setProtectedHeader({ alg: 'ES256', kid: 'first', jku: 'https://evil.example/keys' })
    .setExpirationTime('5m')
    .sign(privateKey)
  expect(await authenticate(issuer, token)).toEqual(unverifiable)
  expect(issuer.fetched).not.toContain('https://evil.example/keys')
})

test('refuses a token that was changed', async () => {
  const issuer = await createIssuer()
  const [header, , signature] = (await issuer.sign()).split('.')
  const claims = { iss: issuer.url, aud: resource, sub: 'root', exp: now() + 300 }
  const forged = base64url.encode(JSON.stringify(claims))
  expect(await authenticate(issuer, `${header}.${forged}.${signature}`)).toEqual(unverifiable)
})

test('refuses an algorithm that is not on the list', async () => {
  const issuer = await createIssuer()
  const token = await issuer.sign()
  expect(await authenticate(issuer, token, { algorithms: ['RS256'] })).toEqual(unverifiable)
  expect(await authenticate(issuer, token, { algorithms: ['ES256'] })).toMatchObject({
    kind: 'caller',
  })
})

test('accepts the configured audiences, and then no longer its own URL', async () => {
  const issuer = await createIssuer()
  const options = { audience: ['api://shop', 'api://till'] }
  const token = await issuer.sign({ aud: ['api://till', 'x'] })
  expect(await authenticate(issuer, token, options)).toMatchObject({ kind: 'caller' })
  expect(await authenticate(issuer, await issuer.sign(), options)).toEqual(
    refused('The audience (aud) of the token does not include api://shop or api://till.'),
  )
})

test('refuses a token for one host of the Worker on another host', async () => {
  const issuer = await createIssuer()
  const auth = jwt({ issuer: issuer.url })
  const token = await issuer.sign()
  expect(await auth.authenticate(createBearerContext(token))).toMatchObject({ kind: 'caller' })
  const elsewhere = createBearerContext(token, { resource: 'https://till.example/mcp' })
  expect(await auth.authenticate(elsewhere)).toMatchObject({ kind: 'refused' })
})

test('refuses a token that has expired since it was verified', async () => {
  const issuer = await createIssuer()
  const auth = jwt({ issuer: issuer.url })
  const exp = now() + 10
  const token = await issuer.sign({ exp })
  expect(await auth.authenticate(createBearerContext(token))).toMatchObject({ kind: 'caller' })
  vi.useFakeTimers({ toFake: ['Date'], now: (exp + 30) * 1_000 })
  expect(await auth.authenticate(createBearerContext(token))).toEqual(
    refused('The token has expired.'),
  )
})

test('verifies a signature once, and again after the keys have been fetched again', async () => {
  const issuer = await createIssuer()
  const auth = jwt({ issuer: issuer.url })
  const token = await issuer.sign({ exp: now() + 3600 })
  const verify = vi.spyOn(crypto.subtle, 'verify')
  await auth.authenticate(createBearerContext(token))
  await auth.authenticate(createBearerContext(token))
  expect(verify).toHaveBeenCalledTimes(1)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 601_000 })
  await auth.authenticate(createBearerContext(token))
  expect(verify).toHaveBeenCalledTimes(2)
})

test('distinguishes a missing token from a malformed one, without a fetch', async () => {
  const issuer = await createIssuer()
  const auth = jwt({ issuer: issuer.url })
  expect(await auth.authenticate(createAuthContext())).toEqual({ kind: 'anonymous' })
  const malformed = createAuthContext({ headers: { Authorization: 'Bearer a b' } })
  expect(await auth.authenticate(malformed)).toEqual({ kind: 'malformed' })
  expect(issuer.fetched).toEqual([])
})

test.each<[string, Partial<JwtOptions>]>([
  ['`issuer` is "auth.example"', { issuer: 'auth.example' }],
  ['`issuer` is "http://auth.example"', { issuer: 'http://auth.example' }],
  ['`jwks` is "http://auth.example/keys"', { jwks: 'http://auth.example/keys' }],
  ['`algorithms` is an empty list', { algorithms: [] }],
])('throws at start because %s', (sentence, options) => {
  expect(() => jwt({ issuer: 'https://auth.example', ...options })).toThrow(sentence)
})

test('throws at start if an HMAC is among the algorithms', () => {
  // @ts-expect-error an HMAC is signed and verified with the same secret
  expect(() => jwt({ issuer: 'https://auth.example', algorithms: ['HS256'] })).toThrow('"HS256"')
})

test('accepts plain HTTP for an issuer on the same machine', () => {
  expect(jwt({ issuer: 'http://127.0.0.1:9000' }).authorizationServers(resource)).toEqual([
    'http://127.0.0.1:9000',
  ])
})
