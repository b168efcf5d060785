import { expect, test } from 'vitest'
import { includesAudience } from '../../../src/auth/tokens/claims.ts'

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
])('an audience of %j is accepted: %j', (aud, expected) => {
  expect(includesAudience(aud, accepted)).toBe(expected)
})

test('an origin with a trailing slash equals the same origin without one', () => {
  expect(includesAudience('https://shop.example/', ['https://shop.example'])).toBe(true)
})

test('an audience that is not a URL is compared literally', () => {
  expect(includesAudience('shop', ['shop'])).toBe(true)
  expect(includesAudience('Shop', ['shop'])).toBe(false)
})
