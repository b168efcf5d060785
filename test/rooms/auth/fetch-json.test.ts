import { afterEach, expect, test, vi } from 'vitest'
import { fetchJson, readSecureUrl } from '../../../src/auth/tokens/fetch-json.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const url = 'https://auth.example/keys'

test('returns the object of a JSON reply', async () => {
  const fetch = vi.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json({ keys: [] }))
  expect(await fetchJson(url)).toEqual({ keys: [] })
  expect(fetch.mock.lastCall?.[1]).toMatchObject({ redirect: 'manual', cache: 'no-store' })
})

test.each<[string, () => Promise<Response>, string]>([
  ['has another status', async () => new Response('{}', { status: 404 }), 'returned status 404'],
  [
    'has another status of success',
    async () => Response.json({ keys: [] }, { status: 203 }),
    'returned status 203',
  ],
  ['is not JSON', async () => new Response('<html>'), 'returned no JSON: '],
  ['is a JSON array', async () => Response.json([]), 'returned JSON that is not an object.'],
  [
    'never comes',
    () => Promise.reject(new Error('Network connection lost.')),
    'could not be reached: Network connection lost.',
  ],
])('names the URL and what is wrong if the reply %s', async (_, reply, problem) => {
  vi.spyOn(globalThis, 'fetch').mockImplementation(reply)
  await expect(fetchJson(url)).rejects.toThrow(`${url} ${problem}`)
})

test.each(['https://auth.example/x', 'http://127.0.0.1:9000/x', 'http://localhost/x'])(
  'accepts the URL %s',
  (text) => {
    expect(readSecureUrl('`issuer`', text).href).toBe(text)
  },
)

test.each(['auth.example', 'http://auth.example', 'http://127.0.0.1.evil.example', 'ftp://x', ''])(
  'refuses the URL %j, and says which to use',
  (text) => {
    expect(() => readSecureUrl('`issuer`', text)).toThrow(
      `\`issuer\` is "${text}", which is not a secure URL. Use a URL that begins with https://`,
    )
  },
)
