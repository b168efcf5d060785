import { expect, test } from 'vitest'
import { readCaller } from '../../../src/auth/tokens/claims.ts'

test('reads the subject, issuer, client, scopes and expiry of a caller', () => {
  const claims = { sub: 'ada', iss: 'https://auth.example', client_id: 'cli', exp: 10, scope: 'a' }
  expect(readCaller(claims, { a: ['b'] })).toEqual({
    subject: 'ada',
    issuer: 'https://auth.example',
    client: 'cli',
    scopes: ['a', 'b'],
    claims,
    expires: 10_000,
  })
})

test('leaves out members that the claims do not have', () => {
  expect(readCaller({ sub: 'ada' }, {})).toEqual({
    subject: 'ada',
    scopes: [],
    claims: { sub: 'ada' },
  })
})

test.each([undefined, '', 7, null, ['ada']])('returns null for the subject %j', (sub) => {
  expect(readCaller({ sub, client_id: 'cli' }, {})).toBeNull()
})

test.each<[object, string | undefined]>([
  [{ azp: 'b' }, 'b'],
  [{ client_id: 'a', azp: 'b' }, 'a'],
  [{ client_id: 7, azp: 'b' }, 'b'],
  [{ client_id: '' }, undefined],
])('reads from %j the client %j', (claims, client) => {
  expect(readCaller({ sub: 'ada', ...claims }, {})?.client).toBe(client)
})
