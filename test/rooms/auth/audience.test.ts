import { expect, test } from 'vitest'
import { isForAudience } from '../../../src/auth/tokens/claims.ts'

const accepted = ['https://shop.example/mcp']

test.each<[unknown, boolean]>([
  ['https://shop.example/mcp', true],
  [['https://other.example', 'https://shop.example/mcp'], true],
  ['HTTPS://Shop.Example/mcp', true],
  ['https://shop.example:443/mcp', true],
  ['https://shop.example/mcp/', false],
  ['https://shop.example/MCP', false],
  ['https://shop.example', false],
  ['https://shop.example/mcp?x', false],
  ['http://shop.example/mcp', false],
  ['https://shop.example.evil.example/mcp', false],
  [undefined, false],
  [null, false],
  [[], false],
  [[['https://shop.example/mcp']], false],
  [{ 0: 'https://shop.example/mcp' }, false],
  ['', false],
])('%j is for this server: %j', (aud, expected) => {
  expect(isForAudience(aud, accepted)).toBe(expected)
})

test('a server at the root has the same name with a slash and without', () => {
  expect(isForAudience('https://shop.example/', ['https://shop.example'])).toBe(true)
})

test('an audience need not be a URL', () => {
  expect(isForAudience('shop', ['shop'])).toBe(true)
  expect(isForAudience('Shop', ['shop'])).toBe(false)
})
