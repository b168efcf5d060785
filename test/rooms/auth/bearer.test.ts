import { expect, test } from 'vitest'
import { type Bearer, readBearer } from '../../../src/auth/tokens/credentials.ts'

const none: Bearer = { kind: 'none' }
const malformed: Bearer = { kind: 'malformed' }
const token = (token: string): Bearer => ({ kind: 'token', token })

test.each<[string, Bearer]>([
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
])('reads %j', (header, expected) => {
  expect(readBearer(new Headers({ Authorization: header }))).toEqual(expected)
})

test('without the header there is no token', () => {
  expect(readBearer(new Headers())).toEqual(none)
})
