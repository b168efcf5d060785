import { describe, expect, test } from 'vitest'
import {
  type CacheableRequest,
  type CachePartition,
  isPartitionOf,
  readCacheUrl,
  readPartition,
  toCacheUrl,
  toPartition,
  toPlainPartition,
} from '../../../src/cache/cache-key.ts'
import type { Caller } from '../../../src/protocol/caller.ts'
import { type JsonObject, isJsonObject } from '../../../src/protocol/json.ts'

// server/utilities/caching, "Cache Key"

const list = (cursor?: string): CacheableRequest => ({ method: 'resources/list', cursor })
const read = (uri: string): CacheableRequest => ({ method: 'resources/read', uri })
const call = (input: JsonObject, name = 'add'): CacheableRequest => ({
  method: 'tools/call',
  name,
  input,
})

/** Arguments in the order in which a client wrote them. */
function parse(text: string): JsonObject {
  const value: unknown = JSON.parse(text)
  if (!isJsonObject(value)) throw new Error('Not an object.')
  return value
}

test.each([
  ['in another order', '{"a":1,"b":2}', '{"b":2,"a":1}'],
  [
    'in another order, in a nested object',
    '{"a":[{"x":1,"y":{"p":1,"q":2}}]}',
    '{"a":[{"y":{"q":2,"p":1},"x":1}]}',
  ],
  ['with other white space', '{"a":1,"b":[1,2]}', '{ "a" : 1,\n"b": [1, 2] }'],
  ['with numbers written differently', '{"a":1}', '{"a":1.0e0}'],
  ['with letters written as escapes', '{"a":"é"}', String.raw`{"\u0061":"\u00e9"}`],
  ['with __proto__ in another place', '{"a":1,"__proto__":{"b":1}}', '{"__proto__":{"b":1},"a":1}'],
  ['with keys that look like numbers', '{"10":1,"9":2,"a":3}', '{"a":3,"9":2,"10":1}'],
])('equal arguments %s have one URL', (_, one, other) => {
  const url = toCacheUrl(call(parse(one)))
  expect(url).not.toBeNull()
  expect(toCacheUrl(call(parse(other)))).toBe(url)
})

const different: readonly CacheableRequest[] = [
  list(),
  list(''),
  list('2'),
  read(''),
  read('shop://a'),
  read('shop://A'),
  read('shop://a/'),
  read('shop://a?x=1&uri=shop://b'),
  read('shop://a%20b'),
  read('shop://a b'),
  read('shop://a+b'),
  read('shop://\u00e4'),
  read('shop://a\u0308'), // the same letter in two code points
  call({}),
  call({}, 'subtract'),
  call({}, 'add&arguments={}'),
  // the tool's default may change with its next version
  call({ page: 1 }),
  call({ page: '1' }),
  call({ page: null }),
  call({ page: [] }),
  call({ page: {} }),
  call({ page: [1, 2] }),
  call({ page: [2, 1] }),
  call({ page: '' }),
  call({ page: ' ' }),
  call({ page: '\u0000' }),
  call({ Page: 1 }),
  call(parse('{"__proto__":{}}')),
  call(parse('{"__proto__":{"page":1}}')),
  call(parse('{"constructor":1}')),
  call({ text: '\u00e9' }),
  call({ text: 'e\u0301' }),
  call({ text: '🙂' }),
  call({ text: '\ud83d' }),
  call({ text: '\ude42' }),
  call({ text: '\ufffd' }),
  call({ text: '&name=x#?' }),
]

test('requests that differ in anything have different URLs', () => {
  const urls = different.map(toCacheUrl)
  expect(urls).not.toContain(null)
  expect(new Set(urls).size).toBe(different.length)
})

test.each(different.map((request) => [request]))('readCacheUrl returns %j as it was', (request) => {
  const url = toCacheUrl(request)
  expect(readCacheUrl(url)).toEqual(request)
  // as a Request returns it, after parsing
  expect(readCacheUrl(new Request(url).url)).toEqual(request)
})

test('an argument named __proto__ stays an argument', () => {
  const url = toCacheUrl(call(parse('{"__proto__":{"page":1}}')))
  const found = readCacheUrl(url)
  const input = found?.method === 'tools/call' ? found.input : {}
  expect(Object.keys(input)).toEqual(['__proto__'])
  expect(input['page']).toBeUndefined()
})

test('a number too large for JSON, which the transport refuses, is not cached as null', () => {
  // JSON.parse returns Infinity, which JSON.stringify prints as null
  expect(() => toCacheUrl(call(parse('{"page":1e999}')))).toThrow('JSON cannot represent Infinity.')
})

test.each([read('\ud800'), read('shop://a\udc00'), read('\udc00\ud800'), list('\ud800')])(
  'half a surrogate pair, as in %j, has no URL, which would replace it',
  (request) => expect(() => toCacheUrl(request)).toThrow('half a surrogate pair'),
)

const origin = 'https://listings.invalid'

test.each([
  ['without a method', `${origin}/`],
  ['of a method that is not cached', `${origin}/prompts/list`],
  ['of a method in capitals', `${origin}/Resources/List`],
  ['below a method', `${origin}/resources/read/a?uri=a`],
  ['of a resource without its URI', `${origin}/resources/read`],
  ['of a resource whose URI has another name', `${origin}/resources/read?url=a`],
  ['of a tool without its name', `${origin}/tools/call?arguments={}`],
  ['of a tool without its arguments', `${origin}/tools/call?name=add`],
  ['of a tool whose arguments are not JSON', `${origin}/tools/call?name=add&arguments={`],
  ['of a tool whose arguments are a list', `${origin}/tools/call?name=add&arguments=[]`],
  ['of a tool whose arguments are null', `${origin}/tools/call?name=add&arguments=null`],
  ['of another host', 'https://example.com/mcp'],
])('readCacheUrl refuses a URL %s', (_, url) => {
  expect(readCacheUrl(url)).toBeNull()
})

test('no URL has a host that exists', () => {
  const hosts = different.map((request) => new URL(toCacheUrl(request)).hostname)
  expect(new Set(hosts)).toEqual(new Set(['listings.invalid']))
})

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

test('the partition of a shared entry has no caller', () => {
  expect(toPartition(shared, ada)).toEqual({})
  expect(toPartition(shared, null)).toEqual({})
})

test('the partition of an entry for one caller has the whole caller, or null for an anonymous one', () => {
  expect(toPartition(own, ada)).toEqual({ caller: ada })
  expect(toPartition(own, null)).toEqual({ caller: null })
})

test('the partition of an entry that not everybody may see names it, as proof that this was checked', () => {
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
])('isPartitionOf: %s for %j and %j', (expected, partition, entry) => {
  expect(isPartitionOf(partition, entry)).toBe(expected)
})

test('toPlainPartition leaves only what a key can distinguish', () => {
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
])('readPartition returns %j as it was, from the props of an entrypoint', (partition) => {
  const read = readPartition(structuredClone(partition))
  // an anonymous caller and no caller are two keys
  expect(read).toStrictEqual(partition)
})

test('readPartition ignores other members', () => {
  expect(readPartition({ caller: null, token: 'secret', scopes: ['shop:write'] })).toEqual({
    caller: null,
  })
})

describe('readPartition refuses', () => {
  test.each([[undefined], [null], ['ada'], [5], [[]]])('the props %j', (props) => {
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
  ])('%j as a caller', (caller) => {
    expect(readPartition({ caller })).toBeNull()
  })

  test.each([[null], ['shop://a'], [{}], [[5]], [['shop://a', null]]])(
    '%j as what is visible',
    (visible) => {
      expect(readPartition({ visible })).toBeNull()
    },
  )
})
