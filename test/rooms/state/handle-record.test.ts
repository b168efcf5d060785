import { expect, test } from 'vitest'
import { isUsableBy } from '../../../src/objects/handle-access.ts'
import { isUseDue, toExpiry } from '../../../src/objects/handle-expiry.ts'
import { type HandleRecord, readHandleRecord } from '../../../src/objects/handle-record.ts'

const record: HandleRecord = {
  kind: 'basket',
  caller: 'alice',
  createdAt: 0,
  usedAt: 0,
  idleMs: 1_000,
  endsAt: 5_000,
  state: new Uint8Array(),
}

test.for([
  ['its creator', record, 'basket', 'alice', 0, true],
  ['its creator until it expires', record, 'basket', 'alice', 1_099, true],
  ['no caller once it has expired', record, 'basket', 'alice', 1_100, false],
  ['no other caller', record, 'basket', 'bob', 0, false],
  ['no anonymous caller', record, 'basket', null, 0, false],
  ['no other kind', record, 'box', 'alice', 0, false],
  [
    'any caller where its creator was anonymous',
    { ...record, caller: null },
    'basket',
    'bob',
    0,
    true,
  ],
  [
    'an anonymous caller where its creator was anonymous',
    { ...record, caller: null },
    'basket',
    null,
    0,
    true,
  ],
] as const)('a handle is usable by %s', ([, record, kind, caller, now, isUsable]) => {
  expect(isUsableBy(record, kind, caller, now)).toBe(isUsable)
})

test.for([
  ['after its idle time and a tenth of it', record, 1_100],
  ['later after a use', { ...record, usedAt: 2_000 }, 3_100],
  ['at its end at the latest', { ...record, usedAt: 4_500 }, 5_000],
] as const)('a handle expires %s', ([, record, expiry]) => {
  expect(toExpiry(record)).toBe(expiry)
})

test('a use is written down after a tenth of the idle time', () => {
  expect(isUseDue(record, 99)).toBe(false)
  expect(isUseDue(record, 100)).toBe(true)
})

test('a stored record is read by its structure', () => {
  expect(readHandleRecord({ ...record, later: true })).toEqual(record)
  expect(readHandleRecord({ ...record, state: '{}' })).toBeNull()
  expect(readHandleRecord({ ...record, caller: undefined })).toBeNull()
  expect(readHandleRecord(undefined)).toBeNull()
})
