import { afterEach, expect, test, vi } from 'vitest'
import { apiKeys } from '../../../src/auth/api-keys.ts'
import type { AuthResult } from '../../../src/define/authenticator.ts'
import { createBearerContext, resource } from './auth-context.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

async function toHex(key: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key))
  return new Uint8Array(digest).toHex()
}

const auth = apiKeys({ keys: 'KEYS', scopes: { admin: ['read'] } })

async function authenticate(key: string, keys: unknown, authenticator = auth): Promise<AuthResult> {
  return authenticator.authenticate(createBearerContext(key, { env: { KEYS: keys } }))
}

/** Creates a KV namespace that counts its reads. */
function createKv(entries: Readonly<Record<string, string>>) {
  const get = async (name: string): Promise<string | null> => entries[name] ?? null
  return { get: vi.fn<typeof get>(get) }
}

const caller = (scopes: readonly string[]): AuthResult => ({
  kind: 'caller',
  caller: { subject: 'ci', client: 'deploy', scopes, claims: {} },
})
const unknown: AuthResult = { kind: 'refused', why: 'This server does not know the API key.' }

test('returns the caller of a key in a secret', async () => {
  const secret = JSON.stringify([
    { digest: await toHex('other'), subject: 'bob' },
    { digest: await toHex('key'), subject: 'ci', client: 'deploy', scopes: ['admin'] },
    { digest: await toHex('last'), subject: 'eve' },
  ])
  expect(await authenticate('key', secret)).toEqual(caller(['admin', 'read']))
  expect(await authenticate('no-key', secret)).toEqual(unknown)
})

test('compares a key with every key of the secret, in constant time', async () => {
  const compare = vi.spyOn(crypto.subtle, 'timingSafeEqual')
  const keys = ['a', 'b', 'c']
  const entries = keys.map(async (key) => ({ digest: await toHex(key), subject: key }))
  const secret = JSON.stringify(await Promise.all(entries))
  for (const key of ['a', 'c', 'none']) {
    compare.mockClear()
    // oxlint-disable-next-line no-await-in-loop
    await authenticate(key, secret)
    expect(compare).toHaveBeenCalledTimes(3)
  }
})

test('refuses the digest of a key in place of the key', async () => {
  const digest = await toHex('key')
  expect(await authenticate(digest, JSON.stringify([{ digest, subject: 'ci' }]))).toEqual(unknown)
  const kv = createKv({ [digest]: '{"subject":"ci"}' })
  expect(await authenticate(digest, kv)).toEqual(unknown)
})

test('reads a secret again after it has changed', async () => {
  const keys = async (key: string) => JSON.stringify([{ digest: await toHex(key), subject: 'ci' }])
  expect(await authenticate('old', await keys('old'))).toMatchObject({ kind: 'caller' })
  expect(await authenticate('old', await keys('new'))).toEqual(unknown)
})

test('returns the caller of a key in a KV namespace, which is read once in 30 seconds', async () => {
  const record = { subject: 'ci', client: 'deploy', scopes: ['read'] }
  const kv = createKv({ [await toHex('key')]: JSON.stringify(record) })
  const fresh = apiKeys({ keys: 'KEYS' })
  expect(await authenticate('key', kv, fresh)).toEqual(caller(['read']))
  expect(await authenticate('key', kv, fresh)).toEqual(caller(['read']))
  expect(kv.get).toHaveBeenCalledTimes(1)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30_001 })
  await authenticate('key', kv, fresh)
  expect(kv.get).toHaveBeenCalledTimes(2)
  expect(await authenticate('no-key', kv, fresh)).toEqual(unknown)
})

test('refuses a key from the time in its record on, cached or not', async () => {
  const expires = new Date(Date.now() + 10_000).toISOString()
  const digest = await toHex('key')
  const secret = JSON.stringify([{ digest, subject: 'ci', expires }])
  const kv = createKv({ [digest]: JSON.stringify({ subject: 'ci', expires }) })
  expect(await authenticate('key', secret)).toMatchObject({
    caller: { expires: Date.parse(expires) },
  })
  expect(await authenticate('key', kv)).toMatchObject({ kind: 'caller' })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(expires) })
  const expired = { kind: 'refused', why: 'The API key has expired.' }
  expect(await authenticate('key', secret)).toEqual(expired)
  expect(await authenticate('key', kv)).toEqual(expired)
})

const digest = '0'.repeat(64)

test.each<[string, unknown, string]>([
  [
    'is missing',
    undefined,
    '`wrangler secret put KEYS`, and for `wrangler dev` in the file .dev.vars.',
  ],
  ['is not JSON', 'key1,key2', 'The secret KEYS is not a JSON array of API keys.'],
  ['is not an array', '{}', 'The secret KEYS is not a JSON array of API keys.'],
  ['is empty', '[]', 'The secret KEYS is not a JSON array of API keys.'],
  [
    'has a key in place of a digest',
    '[{"digest":"key","subject":"ci"}]',
    'Entry 0 of the secret KEYS',
  ],
  ['has a key without a subject', `[{"digest":"${digest}"}]`, 'Entry 0'],
  [
    'has scopes that are a string',
    `[{"digest":"${digest}","subject":"ci","scopes":"admin"}]`,
    'Entry 0',
  ],
  [
    'has an expiry that is not a date',
    `[{"digest":"${digest}","subject":"ci","expires":"never"}]`,
    'Entry 0',
  ],
  [
    'has a second entry that is not an object',
    `[{"digest":"${digest}","subject":"ci"},null]`,
    'Entry 1',
  ],
])('throws for every key, with the reason, if the secret %s', async (_, secret, reason) => {
  await expect(authenticate('key', secret)).rejects.toThrow(reason)
})

test.each(['not JSON', '{}', '{"subject":"ci","expires":1}', '{"subject":"ci","client":1}'])(
  'throws, with the name of the namespace, if the record of the key is %j',
  async (record) => {
    const authenticating = authenticate('bad', createKv({ [await toHex('bad')]: record }))
    await expect(authenticating).rejects.toThrow('in the KV namespace KEYS')
  },
)

test('has no authorization server, as clients cannot get a key by themselves', () => {
  expect(auth.authorizationServers(resource)).toEqual([])
})
