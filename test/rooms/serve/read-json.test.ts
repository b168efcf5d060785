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
