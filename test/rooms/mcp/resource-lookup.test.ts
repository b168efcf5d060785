import { describe, expect, test } from 'vitest'
import type { ResourceEntry } from '../../../src/define/registry.ts'
import { defineResource } from '../../../src/define/resource.ts'
import { defineTool } from '../../../src/define/tool.ts'
import {
  createPurgeCheck,
  createPurgeFilter,
  createResourceLookup,
  isCacheable,
} from '../../../src/mcp/resource-lookup.ts'
import { toRegistry } from '../../spec/registry.ts'
import { toEntry } from './test-resource-entry.ts'

function entry(uri: string, variables: readonly string[] = []): ResourceEntry {
  return toEntry(uri, { arguments: variables.map((name) => ({ name, suggestions: [] })) })
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

test.each([
  ['SHOP://Products/catalog', 'shop://products/catalog', 'shop://products/catalog'],
  ['SHOP://Products/%4BN@1', 'shop://products/KN@1', 'shop://products/KN%401'],
  ['shop://products/KN%401', 'shop://products/KN%401', 'shop://products/KN%401'],
  ['shop://Knives/KN-%31', 'shop://Knives/KN-1', 'shop://Knives/KN-1'],
  ['map:1?zoom=', 'map:1?zoom=', 'map:1'],
  ['map:1?zoom=2:3', 'map:1?zoom=2:3', 'map:1?zoom=2%3A3'],
])('%s is read as %s, and cached and subscribed to as %s', (spelling, uri, key) => {
  expect(createResourceLookup(entries)(spelling)).toMatchObject({ uri, key })
})

test.each(['shop://products/{sku}', 'shop://nothing', 'constructor', '__proto__', ''])(
  'finds nothing for "%s"',
  (uri) => {
    expect(createResourceLookup(entries)(uri)).toBeNull()
  },
)

const common = { mime: 'text/plain', read: () => 'text' } as const
const run = (): string => 'done'
const hints = { readOnly: true } as const

const registry = toRegistry({
  search: defineTool({ description: 'Searches.', cache: '5m', hints, run }),
  prices: defineTool({ description: 'Prices.', cache: '1m', shared: true, hints, run }),
  pay: defineTool({ description: 'Pays.', run }),
  catalog: defineResource({ ...common, uri: 'shop://catalog', cache: '5m' }),
  cart: defineResource({ ...common, uri: 'shop://cart' }),
  product: defineResource({ ...common, uri: 'shop://products/{sku}', cache: '5m' }),
  order: defineResource({
    ...common,
    uri: 'shop://orders/{id}',
    list: () => ({ resources: [] }),
  }),
  asking: defineResource({ ...common, uri: 'shop://asking', cache: '5m', ask: () => ({}) }),
})
const narrow = createPurgeFilter(registry, createResourceLookup(registry.resources))
const nothing = { tools: [], resources: [], lists: false }

test.each([
  [0, false, false],
  [999, false, false],
  [1_000, false, true],
  [300_000, false, true],
  [300_000, true, false],
])('reads with a `cache` of %d ms, with questions: %s, are cached: %s', (ttlMs, asks, expected) => {
  const [entry] = registry.resources
  if (entry === undefined) throw new Error('There is no resource.')
  const changed: ResourceEntry = { ...entry, ttlMs, asks }
  expect(isCacheable(changed)).toBe(expected)
})

describe('a purge', () => {
  test.each([
    ['nothing', {}, nothing],
    ['a tool that is kept', { tools: ['search'] }, { ...nothing, tools: ['search'] }],
    ['a tool that is not kept', { tools: ['pay'] }, nothing],
    ['a tool that is not there', { tools: ['refund'] }, nothing],
    [
      'several tools',
      { tools: ['prices', 'pay', 'search'] },
      { ...nothing, tools: expect.toSatisfy(isSearchAndPrices) },
    ],
    ['all tools', { tools: 'all' }, { ...nothing, tools: 'all' }],
    ['lists', { lists: true }, { ...nothing, lists: true }],
    ['no lists', { lists: false }, nothing],
  ] as const)('of %s keeps only what may be cached', (_, what, narrowed) => {
    expect(narrow(what)).toEqual(narrowed)
  })

  test.each([
    ['shop://catalog', true],
    ['shop://cart', false],
    ['shop://asking', false],
    ['shop://products/KN-1', true],
    ['shop://products/{sku}', true],
    ['shop://orders/1', false],
    ['shop://orders/{id}', false],
    ['shop://nothing', false],
  ])('of %s stays: %s', (uri, isThere) => {
    expect(narrow({ resources: [uri] }).resources).toEqual(isThere ? [uri] : [])
  })
})

describe('a server that caches nothing', () => {
  const { tools, resources } = toRegistry({
    pay: defineTool({ description: 'Pays.', run }),
    cart: defineResource({ ...common, uri: 'shop://cart' }),
  })

  test.each([
    [{ tools: 'all' }],
    [{ tools: ['pay'] }],
    [{ resources: ['shop://cart'] }],
    [{ lists: true }],
  ] as const)('has nothing to purge for %j', (what) => {
    const find = createResourceLookup(resources)
    expect(createPurgeFilter({ tools, resources }, find)(what)).toEqual(nothing)
  })
})

test('a template without `list` needs no cached list', () => {
  const { tools, resources } = toRegistry({
    product: defineResource({ ...common, uri: 'shop://products/{sku}', cache: '5m' }),
  })
  const narrow = createPurgeFilter({ tools, resources }, createResourceLookup(resources))
  expect(narrow({ lists: true }).lists).toBe(false)
})

function isSearchAndPrices(names: readonly string[]): boolean {
  return names.toSorted().join() === 'prices,search'
}

const small = toRegistry({
  search: defineTool({ description: 'Searches.', run: () => '' }),
  page: defineResource({ uri: 'shop://page', mime: 'text/plain', read: () => '' }),
  product: defineResource({ uri: 'shop://{sku}/about', mime: 'text/plain', read: () => '' }),
})
const findMistake = createPurgeCheck(small, createResourceLookup(small.resources))

test.each([
  ['everything'],
  [{ tools: 'all' }],
  [{ tools: ['search'], lists: true }],
  [{ resources: ['shop://page', 'shop://{sku}/about', 'shop://KN-101/about'] }],
] as const)('%j is valid, whether or not it is cached', (what) => {
  expect(findMistake(what)).toBeNull()
})

test.each([
  [{ tools: ['serch'] }, 'There is no tool serch. There are: search.'],
  [
    { resources: ['shop://{id}/about'] },
    'No resource serves shop://{id}/about. There are: shop://',
  ],
  [{ resources: ['shop://KN-101'] }, 'No resource serves shop://KN-101.'],
  [{}, 'The purge names nothing.'],
  [{ tools: [], lists: false }, 'The purge names nothing.'],
] as const)('%j is a mistake', (what, sentence) => {
  expect(findMistake(what)).toContain(sentence)
})
