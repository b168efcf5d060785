import { expect, test } from 'vitest'
import { createPurgeCheck, createResourceLookup } from '../../../src/mcp/resource-lookup.ts'
import { defineResource } from '../../../src/define/resource.ts'
import { defineTool } from '../../../src/define/tool.ts'
import { toRegistry } from '../../spec/registry.ts'

const registry = toRegistry({
  search: defineTool({ description: 'Searches.', run: () => '' }),
  page: defineResource({ uri: 'shop://page', mime: 'text/plain', read: () => '' }),
  product: defineResource({ uri: 'shop://{sku}/about', mime: 'text/plain', read: () => '' }),
})
const find = createPurgeCheck(registry, createResourceLookup(registry.resources))

test.each([
  ['everything'],
  [{ tools: 'all' }],
  [{ tools: ['search'], lists: true }],
  [{ resources: ['shop://page', 'shop://{sku}/about', 'shop://KN-101/about'] }],
] as const)('%j is in order, whether or not it is kept', (what) => {
  expect(find(what)).toBeNull()
})

test.each([
  [{ tools: ['serch'] }, 'There is no tool serch. There are: search.'],
  [
    { resources: ['shop://{id}/about'] },
    'No resource serves shop://{id}/about. There are: shop://',
  ],
  [{ resources: ['shop://KN-101'] }, 'No resource serves shop://KN-101.'],
  [{}, 'Nothing was named to be purged.'],
  [{ tools: [], lists: false }, 'Nothing was named to be purged.'],
] as const)('%j is a slip', (what, sentence) => {
  expect(find(what)).toContain(sentence)
})
