import { expect, test } from 'vitest'
import { type CacheableRequest, readCacheUrl, toCacheUrl } from '../../../src/cache/cache-key.ts'
import { type JsonObject, isJsonObject } from '../../../src/protocol/json.ts'

// server/utilities/caching, "Cache Key"

const list = (cursor?: string): CacheableRequest => ({ method: 'resources/list', cursor })
const read = (uri: string): CacheableRequest => ({ method: 'resources/read', uri })
const call = (input: JsonObject, name = 'add'): CacheableRequest => ({
  method: 'tools/call',
  name,
  input,
})

/** Arguments as they come, in the order in which a client wrote them. */
function parse(text: string): JsonObject {
  const value: unknown = JSON.parse(text)
  if (!isJsonObject(value)) throw new Error('That is no object.')
  return value
}

test.each([
  ['in another order', '{"a":1,"b":2}', '{"b":2,"a":1}'],
  [
    'in another order, deep within',
    '{"a":[{"x":1,"y":{"p":1,"q":2}}]}',
    '{"a":[{"y":{"q":2,"p":1},"x":1}]}',
  ],
  ['with other space between them', '{"a":1,"b":[1,2]}', '{ "a" : 1,\n"b": [1, 2] }'],
  ['with numbers written otherwise', '{"a":1}', '{"a":1.0e0}'],
  ['with letters written otherwise', '{"a":"é"}', String.raw`{"\u0061":"\u00e9"}`],
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
  // a default is the tool's own business, and may change with its next version
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

test('what differs in anything has another URL', () => {
  const urls = different.map(toCacheUrl)
  expect(urls).not.toContain(null)
  expect(new Set(urls).size).toBe(different.length)
})

test.each(different.map((lookup) => [lookup]))('%j is read back as it was', (lookup) => {
  const url = toCacheUrl(lookup)
  expect(readCacheUrl(url)).toEqual(lookup)
  // as it comes out of a Request, where it has been parsed once
  expect(readCacheUrl(new Request(url).url)).toEqual(lookup)
})

test('a key named __proto__ comes back as a key', () => {
  const url = toCacheUrl(call(parse('{"__proto__":{"page":1}}')))
  const found = readCacheUrl(url)
  const input = found?.method === 'tools/call' ? found.input : {}
  expect(Object.keys(input)).toEqual(['__proto__'])
  expect(input['page']).toBeUndefined()
})

test('a number too large for JSON, which the transport refuses, is not kept as if it were null', () => {
  // JSON.parse makes Infinity of it, and JSON.stringify null of that
  expect(() => toCacheUrl(call(parse('{"page":1e999}')))).toThrow('JSON cannot carry Infinity.')
})

test.each([read('\ud800'), read('shop://a\udc00'), read('\udc00\ud800'), list('\ud800')])(
  'half a character, as in %j, has no URL, since it would come back as another',
  (lookup) => expect(() => toCacheUrl(lookup)).toThrow('half a surrogate pair'),
)

const origin = 'https://listings.invalid'

test.each([
  ['of no method', `${origin}/`],
  ['of a method that is not kept', `${origin}/prompts/list`],
  ['of a method in capitals', `${origin}/Resources/List`],
  ['below a method', `${origin}/resources/read/a?uri=a`],
  ['of a resource without its URI', `${origin}/resources/read`],
  ['of a resource whose URI has another name', `${origin}/resources/read?url=a`],
  ['of a tool without its name', `${origin}/tools/call?arguments={}`],
  ['of a tool without its arguments', `${origin}/tools/call?name=add`],
  ['of a tool whose arguments are no JSON', `${origin}/tools/call?name=add&arguments={`],
  ['of a tool whose arguments are a list', `${origin}/tools/call?name=add&arguments=[]`],
  ['of a tool whose arguments are null', `${origin}/tools/call?name=add&arguments=null`],
  ['of somebody else', 'https://example.com/mcp'],
])('a URL %s says nothing', (_, url) => {
  expect(readCacheUrl(url)).toBeNull()
})

test('no URL leaves for a host that exists', () => {
  const hosts = different.map((lookup) => new URL(toCacheUrl(lookup)).hostname)
  expect(new Set(hosts)).toEqual(new Set(['listings.invalid']))
})
