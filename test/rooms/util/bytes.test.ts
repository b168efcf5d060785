import { expect, test } from 'vitest'
import { readBase64, readBase64Url, toBase64, toBase64Url } from '../../../src/util/bytes.ts'

const bytes = new Uint8Array([251, 255, 191, 0])

test('bytes travel as Base64 and as Base64url, and come back', () => {
  expect(toBase64(bytes)).toBe('+/+/AA==')
  expect(toBase64Url(bytes)).toBe('-_-_AA')
  expect(readBase64('+/+/AA==')).toEqual(bytes)
  expect(readBase64Url('-_-_AA')).toEqual(bytes)
})

test('text is taken to be Base64 already', () => {
  expect(toBase64('+/+/AA==')).toBe('+/+/AA==')
})

test.each(['SGVsbG8', 'SGVs!!!bG8=', 'SGVs bG8=', 'SGVsbG9=', '-_-_AA==', '='])(
  'refuses %s, which is not the one spelling of its bytes',
  (text) => {
    expect(readBase64(text)).toBeNull()
  },
)
