import * as z from 'zod'
import { expect, test } from 'vitest'
import { describeResource } from '../../../src/build/kinds/resource.ts'
import { defineResource } from '../../../src/define/resource.ts'
import type { JsonObject } from '../../../src/protocol/json.ts'

const made = defineResource({ uri: 'shop://catalog', mime: 'text/plain', read: () => 'all' })

function describeDefinition(members: JsonObject) {
  const definition = { ...made.definition, ...members }
  return describeResource(
    { name: 'catalog', made: { ...made, definition } },
    { limits: [], handles: new Set(), tools: [], creators: [], printOther: () => null },
  )
}

test('a resource is an entry under its URI, named after its file', () => {
  const all = {
    shared: true,
    fresh: '5m',
    stale: '1h',
    size: 3,
    annotations: { priority: 1 },
    icons: [],
  }
  expect(describeDefinition(all)).toMatchObject({
    section: 'resources',
    key: 'shop://catalog',
    members: {
      name: 'catalog',
      uri: 'shop://catalog',
      shared: true,
      ttlMs: 300_000,
      staleMs: 3_600_000,
    },
  })
})

test('a template is an entry with its variables', () => {
  const members = {
    uri: 'shop://products/{sku}{?currency}',
    name: 'product',
    params: z.object({ sku: z.string(), currency: z.enum(['EUR', 'USD']).optional() }),
    complete: { sku: () => ['KN-101'] },
    list: () => ({ resources: [] }),
  }
  expect(describeDefinition(members)).toMatchObject({
    members: {
      name: 'product',
      dynamic: true,
      arguments: [
        { name: 'sku', suggestions: 'completer' },
        { name: 'currency', suggestions: ['EUR', 'USD'] },
      ],
    },
  })
})

test.each([
  [{ uri: undefined }, '`uri` is missing. It is what clients read'],
  [{ uri: 5 }, '`uri` must be text'],
  [{ uri: 'catalog' }, '`uri` is "catalog". It must start with a scheme'],
  [{ mime: undefined }, '`mime` is missing.'],
  [{ mime: 'markdown' }, '`mime` is "markdown", which is no media type.'],
  [{ read: 'all' }, '`read` is no function.'],
  [{ name: '' }, '`name` must be text'],
  [{ size: '3' }, '`size` is no number of bytes.'],
  [{ annotations: [] }, '`annotations` is no object'],
  [{ shared: 'yes' }, '`shared` is neither true nor false.'],
  [{ fresh: '5 minutes' }, '`fresh` is "5 minutes", which is no time to keep what was read.'],
  [{ fresh: '0s' }, '`fresh` is "0s", which is no time'],
  [{ fresh: '5m', stale: '0s' }, '`stale` is "0s", which is no time to send the old.'],
  [{ fresh: '5m', stale: 60 }, '`stale` is 60, which is no time to send the old.'],
  [{ stale: '1h' }, '`stale` follows on a `fresh` of a second or more, and there is none.'],
  [{ fresh: '5m', stale: '1h', ask: () => ({}) }, '`stale` does not go with `ask`'],
  [{ cache: '5m' }, '`cache` is called `fresh` here'],
  [{ ttl: '5m' }, '`ttl` is called `fresh` here'],
  [{ mimeType: 'text/plain' }, '`mimeType` is called `mime` here.'],
  [{ public: true }, '`public` is written `shared: true` here'],
  [{ reader: 1 }, '`reader` is nothing that a resource has. It has: uri, name, title,'],
  [{ shared: true, ask: () => ({}) }, '`shared: true` promises every caller the same, and `ask`'],
  [{ shared: true, visible: () => true }, 'every caller the same, and `visible` makes it depend'],
  [{ params: null }, '`params` is null, not a schema.'],
  [{ params: z.object({}) }, '`params` is for templates, and "shop://catalog" is not a template.'],
  [
    { uri: 'shop://{sku}', complete: { sku: [] } },
    '`complete` has sku, which should be a function',
  ],
  [
    { uri: 'shop://{sku}', complete: { id: () => [] } },
    '`complete` has "id", but there is no such variable',
  ],
])('refuses %j', (members, start) => {
  const described = describeDefinition(members)
  const [problem, ...others] = 'problems' in described ? described.problems : []
  expect(problem).toContain(start)
  expect(others).toEqual([])
})

test('refuses scopes on what is shared', () => {
  const described = describeDefinition({ shared: true, scopes: ['shop:read'] })
  expect('problems' in described && described.problems[0]).toContain('and `scopes` makes it depend')
})
