import { expect, test } from 'vitest'
import { readElicitResult } from '../../../src/protocol/input-request.ts'

test.each([
  [
    { action: 'accept', content: { a: 1 }, _meta: {} },
    { action: 'accept', content: { a: 1 } },
  ],
  [{ action: 'accept' }, { action: 'accept', content: undefined }],
  [{ action: 'decline', content: { a: 1 } }, { action: 'decline' }],
  [{ action: 'cancel' }, { action: 'cancel' }],
  [{ action: 'ACCEPT' }, null],
  [{ content: {} }, null],
  [{}, null],
  [[], null],
  ['accept', null],
  [12345, null],
  [null, null],
])('reads %j as %j', (response, result) => {
  expect(readElicitResult(response)).toEqual(result)
})
