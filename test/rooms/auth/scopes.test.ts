import { expect, test } from 'vitest'
import { type ScopeHierarchy, expandScopes, readScopes } from '../../../src/auth/tokens/scopes.ts'
import { hasScopes } from '../../../src/protocol/caller.ts'

const chain = { admin: ['write'], write: ['read'], read: [] }

test.each<[string, readonly string[], ScopeHierarchy, readonly string[]]>([
  ['nothing implies nothing', [], chain, []],
  ['what is implied is held however far', ['admin'], chain, ['admin', 'read', 'write']],
  ['nothing is implied upwards', ['read'], chain, ['read']],
  ['what nobody knows stays', ['other', 'write'], chain, ['other', 'read', 'write']],
  ['a circle ends', ['a'], { a: ['b'], b: ['c'], c: ['a'] }, ['a', 'b', 'c']],
  ['a scope may imply itself', ['a'], { a: ['a'] }, ['a']],
  ['each is held once', ['a', 'a', 'b'], { a: ['b'] }, ['a', 'b']],
  [
    'names of the language are names',
    ['constructor', '__proto__'],
    {},
    ['__proto__', 'constructor'],
  ],
])('%s', (_, granted, hierarchy, expected) => {
  expect(expandScopes(granted, hierarchy)).toEqual(expected)
})

test.each<[object, readonly string[]]>([
  [{}, []],
  [{ scope: 'a b' }, ['a', 'b']],
  [{ scope: '  a  b ' }, ['a', 'b']],
  [{ scope: ['a', 'b'] }, ['a', 'b']],
  [{ scp: ['a', 1, null] }, ['a']],
  [{ scp: 'a b' }, ['a', 'b']],
  [{ scope: 'a', scp: ['b'] }, ['a', 'b']],
  [{ scope: { a: true } }, []],
])('reads the scopes of %j', (claims, expected) => {
  expect(readScopes({ ...claims })).toEqual(expected)
})

const caller = { subject: 'ada', scopes: ['a', 'b'], claims: {} }

test.each<[typeof caller | null, readonly string[], boolean]>([
  [caller, [], true],
  [caller, ['a'], true],
  [caller, ['a', 'b'], true],
  [caller, ['a', 'c'], false],
  [null, [], true],
  [null, ['a'], false],
])('%j may do what needs %j: %j', (who, needed, expected) => {
  expect(hasScopes(who, needed)).toBe(expected)
})
