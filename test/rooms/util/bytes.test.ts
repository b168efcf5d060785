import { expect, test } from 'vitest'
import {
  readBase64,
  readBase64Url,
  toBase64,
  toBase64Url,
  toBytes,
  toStandardBase64,
} from '../../../src/util/bytes.ts'

const bytes = new Uint8Array([251, 255, 191, 0])

test('bytes travel as Base64 and as Base64url, and come back', () => {
  expect(toBase64(bytes)).toBe('+/+/AA==')
  expect(toBase64Url(bytes)).toBe('-_-_AA')
  expect(readBase64('+/+/AA==')).toEqual(bytes)
  expect(readBase64Url('-_-_AA')).toEqual(bytes)
})

test.each([
  ['', ''],
  ['+/+/AA==', '+/+/AA=='],
  ['-_-_AA', '+/+/AA=='],
  ['-_-_AA==', '+/+/AA=='],
  ['+/+/AA', '+/+/AA=='],
  ['AAA\n', 'AAA='],
  ['AA \t', 'AA=='],
  [' +/+/\r\nAA==\r\n', '+/+/AA=='],
  ['SGVsbG8', 'SGVsbG8='],
])('%j becomes the standard spelling %j', (text, standard) => {
  expect(toStandardBase64(text)).toBe(standard)
})

test.each(['A', 'AAAAA', 'a.png', 'https://a.example/b', 'data:;base64,AAAA', 'AA=A', '===', 'ä'])(
  '%j is not Base64 in any spelling',
  (text) => {
    expect(toStandardBase64(text)).toBeNull()
  },
)

test('4 MiB of Base64 take a few milliseconds', () => {
  const text = new Uint8Array(4 * 1024 * 1024).fill(251).toBase64()
  const began = performance.now()
  expect(toStandardBase64(text) === text).toBe(true)
  expect(performance.now() - began).toBeLessThan(200)
})

test('buffers and all views of them are bytes', () => {
  const { buffer } = new Uint8Array([1, 2, 3, 4])
  expect(toBytes(buffer)).toEqual(new Uint8Array([1, 2, 3, 4]))
  expect(toBytes(new DataView(buffer, 1, 2))).toEqual(new Uint8Array([2, 3]))
  expect(toBytes(new Uint16Array(buffer, 2, 1))).toEqual(new Uint8Array([3, 4]))
  expect(toBytes([1, 2])).toBeNull()
})

test.each(['SGVsbG8', 'SGVs!!!bG8=', 'SGVs bG8=', 'SGVsbG9=', '-_-_AA==', '='])(
  'refuses %s, which is not the one spelling of its bytes',
  (text) => {
    expect(readBase64(text)).toBeNull()
  },
)
