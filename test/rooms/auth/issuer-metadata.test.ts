import { afterEach, expect, test, vi } from 'vitest'
import { discoverJwksUrl, toIssuerMetadataUrls } from '../../../src/auth/tokens/issuer-metadata.ts'
import { createIssuer } from './issuer.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

test.each([
  [
    'https://auth.example',
    [
      'https://auth.example/.well-known/oauth-authorization-server',
      'https://auth.example/.well-known/openid-configuration',
    ],
  ],
  [
    'https://auth.example/',
    [
      'https://auth.example/.well-known/oauth-authorization-server',
      'https://auth.example/.well-known/openid-configuration',
    ],
  ],
  [
    'https://auth.example/tenant1',
    [
      'https://auth.example/.well-known/oauth-authorization-server/tenant1',
      'https://auth.example/.well-known/openid-configuration/tenant1',
      'https://auth.example/tenant1/.well-known/openid-configuration',
    ],
  ],
])('looks for the metadata of %s in the order of the specification', (issuer, urls) => {
  expect(toIssuerMetadataUrls(issuer)).toEqual(urls)
})

const oauth = 'https://auth.example/.well-known/oauth-authorization-server'
const openid = 'https://auth.example/.well-known/openid-configuration'

test('falls back to OpenID Connect metadata if there is no OAuth metadata', async () => {
  const issuer = await createIssuer()
  issuer.answers.delete(oauth)
  issuer.answers.set(openid, () =>
    Response.json({ issuer: issuer.url, jwks_uri: 'https://keys.example/set' }),
  )
  expect(await discoverJwksUrl(issuer.url)).toBe('https://keys.example/set')
  expect(issuer.fetched).toEqual([oauth, openid])
})

test.each<[string, () => Response, string]>([
  [
    'is for another issuer',
    () =>
      Response.json({ issuer: 'https://honest.example', jwks_uri: 'https://evil.example/keys' }),
    'is the metadata of another issuer, "https://honest.example"',
  ],
  ['has no jwks_uri', () => Response.json({ issuer: 'https://auth.example' }), 'has no `jwks_uri`'],
  [
    'has a jwks_uri of plain HTTP',
    () => Response.json({ issuer: 'https://auth.example', jwks_uri: 'http://auth.example/keys' }),
    'plain http://',
  ],
  ['is not an object', () => Response.json([]), 'JSON that is not an object'],
  ['redirects', () => Response.redirect('https://evil.example/'), 'returned status 302'],
  ['fails', () => new Response(null, { status: 503 }), 'returned status 503'],
])(
  'metadata that %s is not used, and the error says what is wrong at each URL',
  async (_, answer, reason) => {
    const issuer = await createIssuer()
    issuer.answers.set(oauth, answer)
    const error = await discoverJwksUrl(issuer.url).catch(String)
    expect(error).toContain(reason)
    expect(error).toContain(`${openid} returned status 404 instead of 200.`)
    expect(error).toContain('set `jwks` to the URL of the keys')
  },
)
