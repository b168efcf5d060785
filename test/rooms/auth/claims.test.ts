import { expect, test } from 'vitest'
import { readClaims } from '../../../src/auth/tokens/claims.ts'

test('reads the subject, issuer, client, scopes and expiry of a caller', () => {
  const claims = { sub: 'ada', iss: 'https://auth.example', client_id: 'cli', exp: 10, scope: 'a' }
  expect(readClaims(claims, { a: ['b'] })).toEqual({
    subject: 'ada',
    issuer: 'https://auth.example',
    client: 'cli',
    scopes: ['a', 'b'],
    claims,
    expires: 10_000,
  })
})

test('leaves out members that the claims do not have', () => {
  expect(readClaims({ sub: 'ada' }, {})).toEqual({
    subject: 'ada',
    scopes: [],
    claims: { sub: 'ada' },
  })
})

test.each([undefined, '', ' ', 7, null, ['ada']])('refuses the subject %j', (sub) => {
  expect(readClaims({ sub, client_id: 'cli' }, {})).toBe('The token has no subject (sub).')
})

test.each<[object, string]>([
  [{ scope: 7 }, 'The scopes (scope) of the token are neither a text nor a list of texts.'],
  [{ scp: ['a', 1] }, 'The scopes (scope) of the token are neither a text nor a list of texts.'],
  [{ iss: 7 }, 'The issuer (iss) of the token is not a text.'],
  [{ exp: '2100000000' }, 'The expiry (exp) of the token is not a number.'],
  [{ exp: Infinity }, 'The expiry (exp) of the token is not a number.'],
  [{ exp: {} }, 'The expiry (exp) of the token is not a number.'],
])('refuses %j', (claims, why) => {
  expect(readClaims({ sub: 'ada', ...claims }, {})).toBe(why)
})

test('null counts as absent', () => {
  const claims = { sub: 'ada', scope: null, exp: null, client_id: null, iss: null }
  expect(readClaims(claims, {})).toEqual({ subject: 'ada', scopes: [], claims })
})

test.each<[object, string | undefined]>([
  [{ azp: 'b' }, 'b'],
  [{ client_id: 'a', azp: 'b' }, 'a'],
  [{ client_id: 7, azp: 'b' }, 'b'],
])('reads from %j the client %j', (claims, client) => {
  expect(readClaims({ sub: 'ada', ...claims }, {})).toHaveProperty('client', client)
})
