import { expect, test } from 'vitest'
import { toResourceUri } from '../../../src/auth/request/resource-metadata.ts'

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
