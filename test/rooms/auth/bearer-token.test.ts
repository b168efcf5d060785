import { expect, test } from 'vitest'
import { type BearerToken, readBearerToken } from '../../../src/auth/tokens/credentials.ts'

const none: BearerToken = { kind: 'none' }
const malformed: BearerToken = { kind: 'malformed' }
const token = (token: string): BearerToken => ({ kind: 'token', token })

test.each<[string, BearerToken]>([
  ['Bearer abc', token('abc')],
  ['bearer abc', token('abc')],
  ['BEARER   abc', token('abc')],
  ['Bearer a-b.c_d~e+f/g==', token('a-b.c_d~e+f/g==')],
  ['Bearer', malformed],
  ['Bearer a b', malformed],
  ['Bearer a, Bearer b', malformed],
  ['Bearer a=b', malformed],
  ['Bearer "abc"', malformed],
  ['Bearer token=abc', malformed],
  ['Bearer abc, Basic abc', malformed],
  ['', none],
  ['Basic YTpi', none],
  ['Bearerabc', none],
  ['DPoP abc', none],
])('reads the header %j', (header, expected) => {
  expect(readBearerToken(new Headers({ Authorization: header }))).toEqual(expected)
})

test('a request without the header has no token', () => {
  expect(readBearerToken(new Headers())).toEqual(none)
})
