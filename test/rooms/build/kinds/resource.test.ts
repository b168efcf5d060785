import * as z from 'zod'
import { describe, expect, test } from 'vitest'
import { describeResource, findStaleProblems } from '../../../../src/build/kinds/resource.ts'
import { defineResource } from '../../../../src/define/resource.ts'
import type { JsonObject } from '../../../../src/protocol/json.ts'

const made = defineResource({ uri: 'shop://catalog', mime: 'text/plain', read: () => 'all' })

function describeDefinition(members: JsonObject) {
  const definition = { ...made.definition, ...members }
  return describeResource(
    { name: 'catalog', exported: { ...made, definition } },
    { limits: [], handles: new Set(), tools: [], creators: [], printOther: () => null },
  )
}

test('a resource is an entry under its URI, named after its file', () => {
  const all = {
    shared: true,
    cache: '5m',
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

test('names what needs the objects of each class', () => {
  const subscribe = '`resources/subscribe`'
  expect(describeDefinition({})).toMatchObject({ stored: { Hub: [], Bridge: [subscribe] } })
  expect(describeDefinition({ ask: () => ({}) })).toMatchObject({
    stored: { Hub: ['`ask` without STATE_KEY'], Bridge: ['`ask`', subscribe] },
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
  [{ uri: undefined }, '`uri` is missing. It is the URI that clients read'],
  [{ uri: 5 }, '`uri` must be a non-empty string.'],
  [{ uri: 'catalog' }, '`uri` is "catalog". It must start with a scheme'],
  [{ mime: undefined }, '`mime` is missing.'],
  [{ mime: 'markdown' }, '`mime` is "markdown". It must be a media type such as "text/markdown".'],
  [{ read: 'all' }, '`read` must be a function.'],
  [{ name: '' }, '`name` must be a non-empty string.'],
  [{ size: '3' }, '`size` is "3". It must be a whole number of bytes, 0 or more.'],
  [{ size: -1 }, '`size` is -1. It must be a whole number of bytes, 0 or more.'],
  [{ title: null }, '`title` must be a non-empty string.'],
  [
    { annotations: { priority: 5 } },
    '`annotations.priority` is 5. It must be a number from 0 to 1.',
  ],
  [
    { annotations: { audience: 'user' } },
    '`annotations.audience` is "user". It must be a list of "user" and "assistant".',
  ],
  [
    { annotations: { audience: ['model'] } },
    '`annotations.audience` is an array. It must be a list of "user" and "assistant".',
  ],
  [{ annotations: { audience: null } }, '`annotations.audience` is null.'],
  [
    { annotations: { lastModified: 'yesterday' } },
    '`annotations.lastModified` is "yesterday". It must be an ISO 8601 time',
  ],
  [{ annotations: [] }, '`annotations` is an array. It must be an object'],
  [{ shared: 'yes' }, '`shared` must be true or false.'],
  [
    { cache: '5 minutes' },
    '`cache` is "5 minutes". It must be a duration longer than zero, such as',
  ],
  [{ cache: '0s' }, '`cache` is "0s". It must be a duration'],
  [{ cache: '5m', stale: '0s' }, '`stale` is "0s". It must be a duration longer than zero'],
  [{ cache: '5m', stale: 60 }, '`stale` is 60. It must be a duration longer than zero'],
  [{ stale: '1h' }, '`stale` needs a `cache` of one second or more.'],
  [{ cache: '5m', stale: '1h', ask: () => ({}) }, '`stale` cannot be combined with `ask`'],
  [{ fresh: '5m' }, '`fresh` is now `cache`.'],
  [{ ttl: '5m' }, '`ttl` is called `cache` here'],
  [{ mimeType: 'text/plain' }, '`mimeType` is called `mime` here.'],
  [{ public: true }, '`public` is written `shared: true` here'],
  [{ reader: 1 }, '`reader` is not a resource option. Options: uri, name, title,'],
  [{ shared: true, ask: () => ({}) }, '`shared: true` cannot be combined with `ask`'],
  [
    { shared: true, visible: () => true },
    '`shared: true` cannot be combined with `visible`, which makes',
  ],
  [{ params: null }, '`params` is null, not a schema.'],
  [{ params: z.object({}) }, '`params` is for templates, and "shop://catalog" is not a template.'],
  [{ uri: 'shop://{sku}', complete: { sku: [] } }, '`complete.sku` must be a function.'],
  [
    { uri: 'shop://{sku}', complete: { id: () => [] } },
    '`complete` has "id", but there is no such variable. There are: sku.',
  ],
])('refuses %j', (members, start) => {
  const described = describeDefinition(members)
  const [problem, ...others] = 'problems' in described ? described.problems : []
  expect(problem).toContain(start)
  expect(others).toEqual([])
})

test('refuses scopes on what is shared', () => {
  const described = describeDefinition({ shared: true, scopes: ['shop:read'] })
  expect('problems' in described && described.problems[0]).toContain(
    'cannot be combined with `scopes`',
  )
})

describe('the cache of a resource', () => {
  test.each([
    [{}],
    [{ cache: '5m' }],
    [{ cache: '5m', ask: () => ({}) }],
    [{ cache: '5m', stale: '1h' }],
    [{ stale: undefined }],
  ])('may have %j', (members) => {
    expect(findStaleProblems(members)).toEqual([])
  })

  test.each([
    [{ stale: '1h' }, '`stale` needs a `cache` of one second or more. Set `cache`, or remove'],
    [{ cache: '999ms', stale: '1h' }, '`stale` needs a `cache` of one second or more.'],
    [{ stale: '1h', ask: () => ({}) }, '`stale` needs a `cache`'],
    [
      { cache: '5m', stale: '1h', ask: () => ({}) },
      '`stale` cannot be combined with `ask`: a read with',
    ],
  ])('may not have %j', (members, sentence) => {
    const [problem, ...others] = findStaleProblems(members)
    expect(problem).toContain(sentence)
    expect(others).toEqual([])
  })
})
