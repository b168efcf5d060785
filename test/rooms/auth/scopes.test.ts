import { expect, test } from 'vitest'
import { type ScopeHierarchy, expandScopes, readScopes } from '../../../src/auth/tokens/scopes.ts'
import { hasScopes } from '../../../src/protocol/caller.ts'

const chain = { admin: ['write'], write: ['read'], read: [] }

test.each<[string, readonly string[], ScopeHierarchy, readonly string[]]>([
  ['no scopes imply none', [], chain, []],
  [
    'implied scopes are added, directly and indirectly',
    ['admin'],
    chain,
    ['admin', 'read', 'write'],
  ],
  ['a scope does not imply the scopes above it', ['read'], chain, ['read']],
  [
    'a scope that is not in the hierarchy is kept',
    ['other', 'write'],
    chain,
    ['other', 'read', 'write'],
  ],
  ['a circle ends', ['a'], { a: ['b'], b: ['c'], c: ['a'] }, ['a', 'b', 'c']],
  ['a scope that implies itself is accepted', ['a'], { a: ['a'] }, ['a']],
  ['each scope is listed once', ['a', 'a', 'b'], { a: ['b'] }, ['a', 'b']],
  [
    'names of object members are ordinary scopes',
    ['constructor', '__proto__'],
    {},
    ['__proto__', 'constructor'],
  ],
])('%s', (_, granted, hierarchy, expected) => {
  expect(expandScopes(granted, hierarchy)).toEqual(expected)
})

test.each<[object, readonly string[] | null]>([
  [{}, []],
  [{ scope: null }, []],
  [{ scope: 'a b' }, ['a', 'b']],
  [{ scope: '  a  b ' }, ['a', 'b']],
  [{ scope: ['a', 'b'] }, ['a', 'b']],
  [{ scp: ['a', 1, null] }, null],
  [{ scp: 'a b' }, ['a', 'b']],
  [{ scope: 'a', scp: ['b'] }, ['a', 'b']],
  [{ scope: { a: true } }, null],
  [{ scope: 7 }, null],
  [{ scope: 'a', scp: [['b']] }, null],
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
