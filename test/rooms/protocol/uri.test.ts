import { expect, test } from 'vitest'
import { toNormalUri, withLowerHost } from '../../../src/protocol/uri.ts'

// RFC 3986, 6.2.2

test.each([
  ['shop://a/b', 'shop://a/b'],
  ['SHOP://a/b', 'shop://a/b'],
  ['shop://%61/%2d%5F%7e%2E', 'shop://a/-_~.'],
  ['shop://a/%c3%bc%2f', 'shop://a/%C3%BC%2F'],
  ['shop://a/%2561', 'shop://a/%2561'],
  // the case of a path means something, and that of a host may be a value
  ['shop://Ann/B', 'shop://Ann/B'],
  ['shop://ü🫖/é?ß', 'shop://%C3%BC%F0%9F%AB%96/%C3%A9?%C3%9F'],
  ['shop:a', 'shop:a'],
  ['shop:///a', 'shop:///a'],
  ['shop://a/...', 'shop://a/...'],
  ['shop://a/.b/c.', 'shop://a/.b/c.'],
  ['shop://a?b=../c', 'shop://a?b=../c'],
  ['shop://a/b?', 'shop://a/b?'],
])('%s is %s', (uri, normal) => {
  expect(toNormalUri(uri)).toBe(normal)
  expect(toNormalUri(normal)).toBe(normal)
})

test.each([
  '',
  'a',
  '//a/b',
  ':a',
  '1:a',
  ' shop://a',
  'shop://a ',
  'shop://a\n',
  'shop://a\tb',
  'shop://a\\b',
  'shop://\uD800',
  'shop://a\u200Bb',
  'shop://a\u{E0041}b',
  'shop://a\u202Eb',
  'shop://a\u00A0b',
  `${'ü'.repeat(10)}:a`,
  'shop://a/\u0000',
  'shop://a/%',
  'shop://a/%2',
  'shop://a/%zz',
  'shop://{a}',
  'shop://a/./b',
  'shop://a/../b',
  'shop://a/b/..',
  'shop://a/b/%2e',
  'shop://a/%2E%2e/b',
  'shop://..',
  'shop://../a',
  'shop:..',
  'shop:../a',
  'shop://a/..?b',
  'shop://a/..#b',
  `shop://${'a'.repeat(8_192)}`,
])('%j has no normal form', (uri) => {
  expect(toNormalUri(uri)).toBeNull()
})

test.each([
  ['shop://Ann/B', 'shop://ann/B'],
  ['SHOP://%41nn%c3%bc.Example:80?B', 'shop://ann%C3%BC.example:80?B'],
  ['shop:Ann', 'shop:Ann'],
  ['shop:///Ann', 'shop:///Ann'],
])('the host of %s is compared as in %s', (uri, lower) => {
  expect(withLowerHost(toNormalUri(uri) ?? '')).toBe(lower)
})
