import { describe, expect, test } from 'vitest'
import { defineResource } from '../../../src/define/resource.ts'
import { defineTool } from '../../../src/define/tool.ts'
import { createPurgeFilter, isKept } from '../../../src/mcp/resource-lookup.ts'
import type { ResourceEntry } from '../../../src/define/registry.ts'
import { toRegistry } from '../../spec/registry.ts'

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
const narrow = createPurgeFilter(registry)
const nothing = { tools: [], resources: [], lists: false }

test.each([
  [0, false, false],
  [999, false, false],
  [1_000, false, true],
  [300_000, false, true],
  [300_000, true, false],
])('reads that are cached for %d ms, with questions: %s, are kept: %s', (ttlMs, asks, expected) => {
  const [entry] = registry.resources
  if (entry === undefined) throw new Error('There is no resource.')
  const changed: ResourceEntry = { ...entry, ttlMs, asks }
  expect(isKept(changed)).toBe(expected)
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
  ] as const)('of %s is one of what is kept of that', (_, what, narrowed) => {
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

describe('a server that keeps nothing', () => {
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
    expect(createPurgeFilter({ tools, resources })(what)).toEqual(nothing)
  })
})

test('a template that lists nothing makes no list that is kept', () => {
  const { tools, resources } = toRegistry({
    product: defineResource({ ...common, uri: 'shop://products/{sku}', cache: '5m' }),
  })
  expect(createPurgeFilter({ tools, resources })({ lists: true }).lists).toBe(false)
})

function isSearchAndPrices(names: readonly string[]): boolean {
  return names.toSorted().join() === 'prices,search'
}
