import { expect, test } from 'vitest'
import type { ResourceEntry } from '../../../src/define/registry.ts'
import { createResourceLookup } from '../../../src/mcp/resource-lookup.ts'

function entry(uri: string, variables: readonly string[] = []): ResourceEntry {
  return {
    name: uri,
    uri,
    listed: '',
    shared: false,
    ttlMs: 0,
    staleMs: 0,
    asks: false,
    dynamic: false,
    scopes: [],
    conceal: false,
    conditional: false,
    arguments: variables.map((name) => ({ name, suggestions: [] })),
    load: () => Promise.reject(new Error('not loaded to be found')),
  }
}

const entries = [
  entry('shop://{shelf}/{sku}', ['shelf', 'sku']),
  entry('shop://products/{sku}', ['sku']),
  entry('shop://products/{sku}.json', ['sku']),
  entry('shop://products/catalog'),
  entry('shop://products/{+path}', ['path']),
  entry('map:{at}{?zoom}', ['at', 'zoom']),
  entry('map:{place}', ['place']),
  entry('shop://z/{b}', ['b']),
  entry('shop://{a}/z', ['a']),
]

test.each([
  ['a fixed URI before a template', 'shop://products/catalog', 'shop://products/catalog', {}],
  ['more text first', 'shop://products/KN-1.json', 'shop://products/{sku}.json', { sku: 'KN-1' }],
  ['a segment before a path', 'shop://products/KN-1', 'shop://products/{sku}', { sku: 'KN-1' }],
  [
    'a path where only that matches',
    'shop://products/a/b',
    'shop://products/{+path}',
    { path: 'a/b' },
  ],
  ['fewer variables first', 'map:1', 'map:{place}', { place: '1' }],
  [
    'what alone matches',
    'shop://knives/KN-1',
    'shop://{shelf}/{sku}',
    { shelf: 'knives', sku: 'KN-1' },
  ],
  ['what sorts first', 'shop://z/z', 'shop://z/{b}', { b: 'z' }],
])('finds %s', (_rule, uri, found, values) => {
  for (const order of [entries, entries.toReversed()]) {
    const result = createResourceLookup(order)(uri)
    expect(result?.entry.uri).toBe(found)
    expect({ ...result?.values }).toEqual(values)
  }
})

test.each(['shop://products/{sku}', 'shop://nothing', 'constructor', '__proto__', ''])(
  'finds nothing for "%s"',
  (uri) => {
    expect(createResourceLookup(entries)(uri)).toBeNull()
  },
)
