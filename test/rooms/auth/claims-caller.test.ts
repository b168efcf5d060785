import { expect, test } from 'vitest'
import { readCaller } from '../../../src/auth/tokens/claims.ts'

test('a caller is a subject, and what the claims say of it', () => {
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

test('what the claims do not say is not there', () => {
  expect(readCaller({ sub: 'ada' }, {})).toEqual({
    subject: 'ada',
    scopes: [],
    claims: { sub: 'ada' },
  })
})

test.each([undefined, '', 7, null, ['ada']])('the subject %j is nobody', (sub) => {
  expect(readCaller({ sub, client_id: 'cli' }, {})).toBeNull()
})

test.each<[object, string | undefined]>([
  [{ azp: 'b' }, 'b'],
  [{ client_id: 'a', azp: 'b' }, 'a'],
  [{ client_id: 7, azp: 'b' }, 'b'],
  [{ client_id: '' }, undefined],
])('the client of %j is %j', (claims, client) => {
  expect(readCaller({ sub: 'ada', ...claims }, {})?.client).toBe(client)
})
