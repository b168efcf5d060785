import { describe, expect, test } from 'vitest'
import {
  type CachePartition,
  isPartitionOf,
  readPartition,
  toPartition,
  toPlainPartition,
} from '../../../src/cache/cache-key.ts'
import type { Caller } from '../../../src/protocol/caller.ts'

const ada: Caller = { subject: 'ada', scopes: ['shop:read'], claims: { tier: 'gold' } }
const full: Caller = {
  ...ada,
  issuer: 'https://auth.example',
  client: 'editor',
  expires: 1_800_000_000_000,
}

const [shared, own] = [
  { key: 'add', shared: true, isOpen: true },
  { key: 'add', shared: false, isOpen: true },
]

test('what is for everybody is told of nobody', () => {
  expect(toPartition(shared, ada)).toEqual({})
  expect(toPartition(shared, null)).toEqual({})
})

test('what is for one caller is told all of who asks, or that it is nobody', () => {
  expect(toPartition(own, ada)).toEqual({ caller: ada })
  expect(toPartition(own, null)).toEqual({ caller: null })
})

test('what not everybody may have is named, as proof that this was decided', () => {
  expect(toPartition({ ...shared, isOpen: false }, ada)).toEqual({ visible: ['add'] })
  expect(toPartition({ ...own, isOpen: false }, null)).toEqual({ caller: null, visible: ['add'] })
})

test.each([
  [true, {}, shared],
  [false, { caller: null }, shared],
  [false, { caller: ada }, shared],
  [true, { caller: null }, own],
  [true, { caller: ada }, own],
  [false, {}, own],
  [false, {}, { ...shared, isOpen: false }],
  [false, { visible: ['subtract'] }, { ...shared, isOpen: false }],
  [true, { visible: ['add'] }, { ...shared, isOpen: false }],
  [false, { caller: ada }, { ...own, isOpen: false }],
  [true, { caller: ada, visible: ['add'] }, { ...own, isOpen: false }],
])('is it one? %s: %j for %j', (expected, audience, entry) => {
  expect(isPartitionOf(audience, entry)).toBe(expected)
})

test('an audience that is to be a key has in it what a key can tell apart', () => {
  const claims = { roles: new Set(['admin']), tier: Number.NaN }
  expect(toPlainPartition({ caller: { ...ada, claims } })).toEqual({
    caller: { ...ada, claims: { roles: {}, tier: null } },
  })
  expect(toPlainPartition({ caller: { ...ada, expires: Infinity } })).toBeNull()
})

test.each<[CachePartition]>([
  [{}],
  [{ caller: null }],
  [{ caller: ada }],
  [{ caller: full }],
  [{ visible: [] }],
  [{ visible: ['shop://a'] }],
  [{ caller: full, visible: ['shop://a', 'shop://b'] }],
])('%j comes back as it was, as props of an entrypoint', (audience) => {
  const read = readPartition(structuredClone(audience))
  // not the same key: nobody is somebody else than everybody
  expect(read).toStrictEqual(audience)
})

test('nothing else comes along', () => {
  expect(readPartition({ caller: null, token: 'secret', scopes: ['shop:write'] })).toEqual({
    caller: null,
  })
})

describe('props that no audience ever was', () => {
  test.each([[undefined], [null], ['ada'], [5], [[]]])('%j are none', (props) => {
    expect(readPartition(props)).toBeNull()
  })

  test.each([
    ['ada'],
    [[]],
    [{}],
    [{ ...ada, subject: undefined }],
    [{ ...ada, subject: 5 }],
    [{ ...ada, issuer: null }],
    [{ ...ada, client: 5 }],
    [{ ...ada, scopes: 'shop:read' }],
    [{ ...ada, scopes: [5] }],
    [{ ...ada, claims: null }],
    [{ ...ada, claims: [] }],
    [{ ...ada, expires: 'tomorrow' }],
  ])('have %j for a caller', (caller) => {
    expect(readPartition({ caller })).toBeNull()
  })

  test.each([[null], ['shop://a'], [{}], [[5]], [['shop://a', null]]])(
    'have %j for what may be seen',
    (visible) => {
      expect(readPartition({ visible })).toBeNull()
    },
  )
})
