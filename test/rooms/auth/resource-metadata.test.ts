import { expect, test } from 'vitest'
import {
  toMetadata,
  toMetadataPaths,
  toMetadataUrl,
} from '../../../src/auth/request/resource-metadata.ts'
import { toResourceUri } from '../../../src/auth/request/guard.ts'

test.each([
  ['/mcp', ['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource']],
  [
    '/a/mcp',
    ['/.well-known/oauth-protected-resource/a/mcp', '/.well-known/oauth-protected-resource'],
  ],
  ['/', ['/.well-known/oauth-protected-resource']],
])('the metadata of %s is where clients look', (endpoint, paths) => {
  expect(toMetadataPaths(endpoint)).toEqual(paths)
})

test.each([
  ['https://shop.example/mcp', 'https://shop.example/.well-known/oauth-protected-resource/mcp'],
  ['https://shop.example', 'https://shop.example/.well-known/oauth-protected-resource'],
  [
    'http://127.0.0.1:8787/a/mcp',
    'http://127.0.0.1:8787/.well-known/oauth-protected-resource/a/mcp',
  ],
])('the metadata of %s is at %s', (resource, url) => {
  expect(toMetadataUrl(resource)).toBe(url)
})

test('the document names the resource, who issues tokens, and how they are sent', () => {
  const described = {
    resource: 'https://shop.example/mcp',
    authorizationServers: ['https://auth.example'],
    scopes: ['shop:read', 'offline_access', 'shop:read'],
    name: 'Shop',
  }
  expect(toMetadata(described)).toEqual({
    resource: 'https://shop.example/mcp',
    resource_name: 'Shop',
    authorization_servers: ['https://auth.example'],
    scopes_supported: ['shop:read'],
    bearer_methods_supported: ['header'],
  })
  expect(toMetadata({ ...described, scopes: [] })).not.toHaveProperty('scopes_supported')
})

test.each<[string | undefined, string, string, string]>([
  [undefined, 'https://shop.example/mcp', '/mcp', 'https://shop.example/mcp'],
  [undefined, 'https://shop.example/mcp?token=x#y', '/mcp', 'https://shop.example/mcp'],
  [undefined, 'https://SHOP.example:443/mcp', '/mcp', 'https://shop.example/mcp'],
  [undefined, 'http://127.0.0.1:8787/.well-known/x', '/mcp', 'http://127.0.0.1:8787/mcp'],
  [undefined, 'https://shop.example/', '/', 'https://shop.example'],
  ['https://shop.example/mcp', 'https://x.workers.dev/mcp', '/mcp', 'https://shop.example/mcp'],
])('configured %j and asked at %s for %s it is %s', (configured, url, endpoint, expected) => {
  expect(toResourceUri(configured, url, endpoint)).toBe(expected)
})
