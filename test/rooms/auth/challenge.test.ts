import { expect, test } from 'vitest'
import { type Challenge, toChallenge } from '../../../src/auth/request/challenge.ts'

const nothing: Challenge = { scopes: [], metadataUrl: null }
const metadataUrl = 'https://shop.example/.well-known/oauth-protected-resource/mcp'

test.each<[string, Challenge, string]>([
  ['nothing', nothing, 'Bearer'],
  ['the metadata', { ...nothing, metadataUrl }, `Bearer resource_metadata="${metadataUrl}"`],
  ['scopes', { ...nothing, scopes: ['a', 'b:c'] }, 'Bearer scope="a b:c"'],
  [
    'everything',
    { error: 'insufficient_scope', description: 'More is needed.', scopes: ['a'], metadataUrl },
    'Bearer error="insufficient_scope", error_description="More is needed.", scope="a", ' +
      `resource_metadata="${metadataUrl}"`,
  ],
])('says %s', (_, challenge, expected) => {
  expect(toChallenge(challenge)).toBe(expected)
})

test('each scope is asked for once', () => {
  expect(toChallenge({ ...nothing, scopes: ['a', 'b', 'a'] })).toBe('Bearer scope="a b"')
})

test('offline_access is not asked for', () => {
  const scopes = ['offline_access', 'a']
  expect(toChallenge({ ...nothing, scopes })).toBe('Bearer scope="a"')
  expect(toChallenge({ ...nothing, scopes: ['offline_access'] })).toBe('Bearer')
})

test.each<[string, string]>([
  ['say "no"', "say 'no'"],
  ['a\r\nX-Evil: 1', 'a??X-Evil: 1'],
  ['back\\slash', 'back?slash'],
  ['café', 'caf?'],
])('a value cannot leave its quotes: %j', (description, expected) => {
  const challenge = toChallenge({ ...nothing, description })
  expect(challenge).toBe(`Bearer error_description="${expected}"`)
  expect(new Headers({ 'WWW-Authenticate': challenge }).get('WWW-Authenticate')).toBe(challenge)
})

test.each(['a b', '', 'a"b', 'a\\b', 'é', 'a\nb'])('%j is not a scope', (scope) => {
  expect(toChallenge({ ...nothing, scopes: [scope, 'good'] })).toBe('Bearer scope="good"')
})
