import { expect, test } from 'vitest'
import { readHeaderValue } from '../../../src/mcp/envelope.ts'

// basic/transports/streamable-http, "Value Encoding"
test.each([
  ['us-west1', 'us-west1'],
  ['', ''],
  ['=?base64?SGVsbG8=?=', 'Hello'],
  ['=?base64?SGVsbG8sIOS4lueVjA==?=', 'Hello, 世界'],
  ['=?base64?IHBhZGRlZCA=?=', ' padded '],
  ['=?base64?bGluZTEKbGluZTI=?=', 'line1\nline2'],
  ['=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=', '=?base64?literal?='],
  ['=?base64??=', ''],
])('reads %s', (header, value) => {
  expect(readHeaderValue(header)).toBe(value)
})

test.each([
  ['plain Base64 without the markers', 'SGVsbG8='],
  ['a prefix without its suffix', '=?base64?SGVsbG8='],
  ['a suffix without its prefix', 'SGVsbG8=?='],
  ['markers that share a character', '=?base64?='],
  ['markers in capitals', '=?BASE64?SGVsbG8=?='],
])('takes %s as it stands', (_, header) => {
  expect(readHeaderValue(header)).toBe(header)
})

test.each([
  ['missing padding', '=?base64?SGVsbG8?='],
  ['characters that are not Base64', '=?base64?SGVs!!!bG8=?='],
  ['white space inside', '=?base64?SGVs bG8=?='],
  ['bits that no byte uses', '=?base64?SGVsbG9=?='],
  ['bytes that are not UTF-8', '=?base64?/w==?='],
  ['a letter that is not ASCII', 'Zürich'],
  ['a control character', 'a\u0001b'],
])('refuses %s', (_, header) => {
  expect(readHeaderValue(header)).toBeNull()
})
