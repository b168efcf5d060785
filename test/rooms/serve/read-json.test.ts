import { expect, test } from 'vitest'
import { readJson } from '../../../src/serve/read-json.ts'

const nest = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

test.each([
  '0',
  'null',
  '"a"',
  '[]',
  '{}',
  ' { "a" : [ { "a" : 1 } , "a" ] , "b" : "a" } ',
  '{"a":{"a":{"a":1}},"b":{"a":1}}',
  '[{"a":1},{"a":2}]',
  '{"":1," ":2}',
  '{"a\\"b":1,"a":"{\\"a\\":1,\\"a\\":2}"}',
  '{"a\\\\":1,"b":"\\\\"}',
  '{"a":":::,{[","b":"]}"}',
  '{"1":1,"01":2,"1.0":3}',
  '"\\ud83d\\ude00 \\u00e9 😀"',
  '{"\\u0061":1,"b":2}',
  '{"a":"b","b":"\\u0062"}',
  '["a","a",{"b":"\\u0061"},"a","b"]',
  '{"hasOwnProperty":1,"constructor":2}',
])('reads %s as JSON.parse does', (text) => {
  expect(readJson(text)).toEqual({ kind: 'json', value: JSON.parse(text) })
})

test.each([
  ['nothing', ''],
  ['blanks', ' \n'],
  ['truncated text', '{"a":'],
  ['a string without end', '{"a":"b'],
  ['an escaped end of a string', '{"a":"b\\"}'],
  ['a trailing comma', '{"a":1,}'],
  ['two values', '{}{}'],
  ['closing brackets alone', ']]]}}}'],
  ['a comment', '{} // x'],
  ['single quotes', "{'a':1}"],
  ['an unknown escape', '"\\x"'],
  ['a raw line break in a string', '"a\nb"'],
  ['NaN', 'NaN'],
])('%s is not JSON', (_, text) => {
  expect(readJson(text)).toMatchObject({ failure: { kind: 'unparsable' } })
})

test('says where JSON ends to be JSON', () => {
  expect(readJson('{"a":1 "b":2}')).toMatchObject({
    failure: { why: expect.stringContaining('position 7') },
  })
})

test('reads 64 levels and refuses 65', () => {
  expect(readJson(nest(64)).kind).toBe('json')
  expect(readJson(nest(65))).toMatchObject({
    failure: { kind: 'invalid-request', why: 'it is nested deeper than 64 levels.' },
  })
  expect(readJson(`[${nest(60)},${nest(60)},"${'['.repeat(99)}"]`).kind).toBe('json')
})

test.each([
  ['a', '{"a":1,"a":1}'],
  ['a', '{"x":[0,{"a":1,"b":{"a":2},"a":3}]}'],
  ['a', '{"\\u0061":1,"a":2}'],
  ['method', '{"method":"x","params":{"method":"y"},"method":"z"}'],
  ['__proto__', '{"__proto__":1,"__proto__":2}'],
  ['a"b', '{"a\\"b":1,"a\\u0022b":2}'],
  ['', '{"":1,"":2}'],
  ['1', '{"1":1,"0":2,"1":3}'],
])('names the key "%s" that stands twice in %s', (key, text) => {
  expect(readJson(text)).toMatchObject({
    failure: { kind: 'invalid-request', why: `the key "${key}" stands twice.` },
  })
})

test('names only the beginning of a long key', () => {
  const key = 'k'.repeat(5000)
  expect(readJson(`{"${key}":1,"${key}":2}`)).toMatchObject({
    failure: { why: `the key "${'k'.repeat(200)}…" stands twice.` },
  })
})

test.each(['1e999', '[-1e400]', '{"a":{"b":[1,1e309]}}'])(
  'refuses %s, which would be read as another number',
  (text) => {
    expect(readJson(text)).toMatchObject({
      kind: 'failure',
      failure: { kind: 'invalid-request', why: 'a number in it is too large to be read.' },
    })
  },
)

test.each(['"\\ud800"', '["\\udc00\\ud800"]', '{"\\uD83D":1}', '{"a":"\\ud83d\\u0041"}'])(
  'refuses half a surrogate pair in %s',
  (text) => {
    expect(readJson(text)).toMatchObject({
      failure: { kind: 'invalid-request', why: expect.stringContaining('surrogate') },
    })
  },
)

test('a key named __proto__ is data', () => {
  const read = readJson('{"__proto__":{"polluted":true}}')
  const value = read.kind === 'json' ? read.value : null
  expect(Object.keys(Object(value))).toEqual(['__proto__'])
  expect(value).not.toHaveProperty('polluted')
})

test.each([
  ['9007199254740993', '9007199254740992'],
  ['-9007199254740993', '-9007199254740992'],
  ['{"a":[1,{"b":12345678901234567890}]}', '12345678901234567000'],
  ['[ 18446744073709551615 ]', '18446744073709552000'],
  ['9007199254740993.0', '9007199254740992'],
  ['9.007199254740993e15', '9007199254740992'],
  ['9007199254740993E0', '9007199254740992'],
  ['900719925474099300e-2', '9007199254740992'],
  ['9007199254740991.5', '9007199254740992'],
  ['100000000000000000000001', '1e+23'],
  [`1${'0'.repeat(200)}1`, '1e+201'],
  ['{"a\\"9":"9","b":9007199254740993}', '9007199254740992'],
])('says that %s would become %s', (text, becomes) => {
  const read = readJson(text)
  expect(read).toMatchObject({ kind: 'json', value: JSON.parse(text) })
  expect(read).toHaveProperty(
    'inexact',
    expect.stringMatching(/^The number -?\d.* is too large to be read exactly: it would become .*/),
  )
  expect(read).toHaveProperty('inexact', expect.stringContaining(`${becomes}. Send it as text.`))
})

test.each([
  '9007199254740991',
  '-9007199254740992',
  '9007199254740994',
  '18446744073709551616',
  '9007199254740992.0',
  '1e20',
  '100000000000000000000',
  '1e23',
  '1.2345678901234567e+300',
  '1.7976931348623157e308',
  '0.1',
  '1.0000000000000000001',
  '3.14159265358979323846264338327950288',
  '1e-400',
  '"9007199254740993"',
  '{"9007199254740993":1e300}',
  '[1e300,"a \\" 9007199254740993"]',
])('reads %s without a remark', (text) => {
  expect(readJson(text)).toStrictEqual({ kind: 'json', value: JSON.parse(text) })
})

test('names only the beginning of a number of a million digits', () => {
  const read = readJson(`[1e300,${'7'.repeat(1_000_000)}e-999900]`)
  expect(read.kind === 'json' && read.inexact?.length).toBeLessThan(200)
})
