import { afterEach, expect, test, vi } from 'vitest'
import { discoverKeysUrl, toDiscoveryUrls } from '../../../src/auth/tokens/key-source.ts'
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
  expect(toDiscoveryUrls(issuer)).toEqual(urls)
})

const oauth = 'https://auth.example/.well-known/oauth-authorization-server'
const openid = 'https://auth.example/.well-known/openid-configuration'

test('an OpenID provider is found where there is no OAuth metadata', async () => {
  const issuer = await createIssuer()
  issuer.answers.delete(oauth)
  issuer.answers.set(openid, () =>
    Response.json({ issuer: issuer.url, jwks_uri: 'https://keys.example/set' }),
  )
  expect(await discoverKeysUrl(issuer.url)).toBe('https://keys.example/set')
  expect(issuer.fetched).toEqual([oauth, openid])
})

test.each<[string, () => Response, string]>([
  [
    'speaks for another issuer',
    () =>
      Response.json({ issuer: 'https://honest.example', jwks_uri: 'https://evil.example/keys' }),
    'is about the issuer "https://honest.example"',
  ],
  ['names no keys', () => Response.json({ issuer: 'https://auth.example' }), 'names no jwks_uri'],
  [
    'names keys over plain HTTP',
    () => Response.json({ issuer: 'https://auth.example', jwks_uri: 'http://auth.example/keys' }),
    'plain http://',
  ],
  ['is not an object', () => Response.json([]), 'JSON that is not an object'],
  ['sends elsewhere', () => Response.redirect('https://evil.example/'), 'answered 302'],
  ['fails', () => new Response(null, { status: 503 }), 'answered 503'],
])('metadata that %s is not used', async (_, answer, reason) => {
  const issuer = await createIssuer()
  issuer.answers.set(oauth, answer)
  const error = await discoverKeysUrl(issuer.url).catch(String)
  expect(error).toContain(reason)
  // it says what every place answered, and what to do
  expect(error).toContain(`${openid} answered 404.`)
  expect(error).toContain('name the URL of its keys as `jwks`')
})
