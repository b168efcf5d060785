import { afterEach, expect, test, vi } from 'vitest'
import { apiKeys } from '../../../src/auth/api-keys.ts'
import type { Authenticated } from '../../../src/define/authenticator.ts'
import { arriveWith, resource } from './arrival.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

async function toHex(key: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key))
  return new Uint8Array(digest).toHex()
}

const auth = apiKeys({ keys: 'KEYS', scopes: { admin: ['read'] } })

async function judge(key: string, keys: unknown, judged = auth): Promise<Authenticated> {
  return judged.authenticate(arriveWith(key, { env: { KEYS: keys } }))
}

/** A KV namespace that counts how often it is asked. */
function createKv(entries: Readonly<Record<string, string>>) {
  const get = async (name: string): Promise<string | null> => entries[name] ?? null
  return { get: vi.fn<typeof get>(get) }
}

const caller = (scopes: readonly string[]): Authenticated => ({
  kind: 'caller',
  caller: { subject: 'ci', client: 'deploy', scopes, claims: {} },
})
const unknown: Authenticated = { kind: 'refused', why: 'The key is not known here.' }

test('finds the holder of a key in a secret', async () => {
  const secret = JSON.stringify([
    { digest: await toHex('other'), subject: 'bob' },
    { digest: await toHex('key'), subject: 'ci', client: 'deploy', scopes: ['admin'] },
    { digest: await toHex('last'), subject: 'eve' },
  ])
  expect(await judge('key', secret)).toEqual(caller(['admin', 'read']))
  expect(await judge('no-key', secret)).toEqual(unknown)
})

test('compares with every key of a secret, in constant time', async () => {
  const compare = vi.spyOn(crypto.subtle, 'timingSafeEqual')
  const keys = ['a', 'b', 'c']
  const entries = keys.map(async (key) => ({ digest: await toHex(key), subject: key }))
  const secret = JSON.stringify(await Promise.all(entries))
  for (const key of ['a', 'c', 'none']) {
    compare.mockClear()
    // oxlint-disable-next-line no-await-in-loop
    await judge(key, secret)
    expect(compare).toHaveBeenCalledTimes(3)
  }
})

test('a digest is no key', async () => {
  const digest = await toHex('key')
  expect(await judge(digest, JSON.stringify([{ digest, subject: 'ci' }]))).toEqual(unknown)
  const kv = createKv({ [digest]: '{"subject":"ci"}' })
  expect(await judge(digest, kv)).toEqual(unknown)
})

test('a secret that was changed is read again', async () => {
  const keys = async (key: string) => JSON.stringify([{ digest: await toHex(key), subject: 'ci' }])
  expect(await judge('old', await keys('old'))).toMatchObject({ kind: 'caller' })
  expect(await judge('old', await keys('new'))).toEqual(unknown)
})

test('finds the holder of a key in a KV namespace, and asks once in half a minute', async () => {
  const record = { subject: 'ci', client: 'deploy', scopes: ['read'] }
  const kv = createKv({ [await toHex('key')]: JSON.stringify(record) })
  const fresh = apiKeys({ keys: 'KEYS' })
  expect(await judge('key', kv, fresh)).toEqual(caller(['read']))
  expect(await judge('key', kv, fresh)).toEqual(caller(['read']))
  expect(kv.get).toHaveBeenCalledTimes(1)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30_001 })
  await judge('key', kv, fresh)
  expect(kv.get).toHaveBeenCalledTimes(2)
  expect(await judge('no-key', kv, fresh)).toEqual(unknown)
})

test('a key ends when its record says so, known or not', async () => {
  const expires = new Date(Date.now() + 10_000).toISOString()
  const digest = await toHex('key')
  const secret = JSON.stringify([{ digest, subject: 'ci', expires }])
  const kv = createKv({ [digest]: JSON.stringify({ subject: 'ci', expires }) })
  expect(await judge('key', secret)).toMatchObject({ caller: { expires: Date.parse(expires) } })
  expect(await judge('key', kv)).toMatchObject({ kind: 'caller' })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_001 })
  const expired = { kind: 'refused', why: 'The key has expired.' }
  expect(await judge('key', secret)).toEqual(expired)
  expect(await judge('key', kv)).toEqual(expired)
})

const digest = '0'.repeat(64)

test.each<[string, unknown, string]>([
  ['is missing', undefined, '`wrangler secret put KEYS`'],
  ['is not JSON', 'key1,key2', 'The secret KEYS is not a JSON array of keys.'],
  ['is no array', '{}', 'The secret KEYS is not a JSON array of keys.'],
  ['is empty', '[]', 'The secret KEYS is not a JSON array of keys.'],
  [
    'has a key in place of a digest',
    '[{"digest":"key","subject":"ci"}]',
    'Key 0 in the secret KEYS',
  ],
  ['has a key of nobody', `[{"digest":"${digest}"}]`, 'Key 0'],
  ['has scopes as a text', `[{"digest":"${digest}","subject":"ci","scopes":"admin"}]`, 'Key 0'],
  [
    'has an end that is no date',
    `[{"digest":"${digest}","subject":"ci","expires":"never"}]`,
    'Key 0',
  ],
  ['has a slip in the second entry', `[{"digest":"${digest}","subject":"ci"},null]`, 'Key 1'],
])('lets nobody in while the secret %s, and says so in the log', async (_, secret, reason) => {
  await expect(judge('key', secret)).rejects.toThrow(reason)
})

test.each(['not JSON', '{}', '{"subject":"ci","expires":1}', '{"subject":"ci","client":1}'])(
  'a record in KV that is %j is for the log',
  async (record) => {
    const judging = judge('slip', createKv({ [await toHex('slip')]: record }))
    await expect(judging).rejects.toThrow('in the KV namespace KEYS')
  },
)

test('no client could get a key by itself', () => {
  expect(auth.authorizationServers(resource)).toEqual([])
})
