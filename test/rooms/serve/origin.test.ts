import { expect, test } from 'vitest'
import { createOriginCheck, webClients } from '../../../src/serve/origin.ts'

const local = 'http://127.0.0.1:8787/mcp'
const named = 'http://localhost:8787/mcp'
const secure = 'https://shop.example.com/mcp'
const plain = 'http://shop.example.com/mcp'

test.each([
  ['a listed origin', 'https://claude.ai', secure],
  ['the server itself over https', 'https://shop.example.com', secure],
  ['the server itself on this machine', 'http://127.0.0.1:8787', local],
  ['a page on another port of this machine', 'http://localhost:6274', local],
  ['a page on another name of this machine', 'http://127.0.0.1:3000', named],
  ['a page on IPv6 loopback', 'http://[::1]:3000', 'http://[::1]:8787/mcp'],
  ['a page without a port on this machine', 'https://localhost', local],
])('%s may call', (_, origin, url) => {
  expect(createOriginCheck(['https://claude.ai'])(origin, url)).toBe(true)
})

test.each([
  ['a foreign page', 'https://evil.example.com', secure],
  [
    'a rebound name that vouches for itself',
    'http://evil.example.com',
    'http://evil.example.com/mcp',
  ],
  ['the same host over plain http', 'http://shop.example.com', plain],
  ['the same host under another scheme', 'http://shop.example.com', secure],
  ['the same host on another port', 'https://shop.example.com:8443', secure],
  ['a listed host under another scheme', 'http://claude.ai', secure],
  ['a host that ends like a listed one', 'https://notclaude.ai', secure],
  ['a host that begins like a listed one', 'https://claude.ai.evil.example.com', secure],
  ['a foreign page that calls this machine', 'https://evil.example.com', local],
  ['a host that begins like loopback', 'http://localhost.evil.example.com', local],
  ["a page on the visitor's machine that calls a public server", 'http://localhost:6274', secure],
  ['a sandboxed page', 'null', local],
  ['an empty Origin', '', local],
  ['what is no origin at all', 'evil', local],
])('%s may not call', (_, origin, url) => {
  expect(createOriginCheck(['https://claude.ai'])(origin, url)).toBe(false)
})

test('every page may call when origins is *', () => {
  expect(createOriginCheck('*')('null', plain)).toBe(true)
})

test.each(['https://claude.ai/', 'claude.ai', 'https://Claude.ai', '*', 'null', 'https://*.ai/x'])(
  'refuses to start with "%s" among the origins, since it could never match',
  (entry) => {
    expect(() => createOriginCheck([entry])).toThrow(`"${entry}" in \`origins\` is not an origin`)
  },
)

test('the known web clients are origins', () => {
  const allows = createOriginCheck(webClients)
  expect(webClients.filter((origin) => !allows(origin, secure))).toEqual([])
  expect(allows('https://claude.ai', secure)).toBe(true)
})
