import * as z from 'zod'
import { expect, test } from 'vitest'
import { defineResource, type Resource } from '../../../../src/define/resource.ts'
import {
  findResourceProblems,
  toResourceEntry,
} from '../../../../src/build/entries/resource-entry.ts'

// server/resources, "Resource"; schema, "Resource" and "ResourceTemplate"

function read(): string {
  return 'text'
}

const full = {
  read,
  annotations: { audience: ['user'], priority: 0.5, lastModified: '2026-11-30T12:00:00Z' },
  icons: [{ src: 'https://example.com/icon.png' }],
  size: 1_024,
  mime: 'text/markdown',
  description: 'All that we sell.',
  title: 'Catalog',
  uri: 'shop://catalog',
} as const

function entryOf(resource: Resource): ReturnType<typeof toResourceEntry> {
  return toResourceEntry('catalog', resource)
}

test('lists all members of a resource, in one order', () => {
  expect(entryOf(defineResource(full)).listed).toBe(
    '{"uri":"shop://catalog","name":"catalog","title":"Catalog",' +
      '"description":"All that we sell.","mimeType":"text/markdown","size":1024,' +
      '"icons":[{"src":"https://example.com/icon.png"}],"annotations":{"audience":["user"],' +
      '"priority":0.5,"lastModified":"2026-11-30T12:00:00Z"}}',
  )
})

test('leaves out missing members', () => {
  const { listed } = entryOf(defineResource({ uri: 'a:b', mime: 'text/plain', read }))
  expect(listed).toBe('{"uri":"a:b","name":"catalog","mimeType":"text/plain"}')
})

test('lists a template with `uriTemplate`', () => {
  const { listed } = entryOf(defineResource({ uri: 'a:{b}', mime: 'text/plain', read }))
  expect(listed).toBe('{"uriTemplate":"a:{b}","name":"catalog","mimeType":"text/plain"}')
})

test.each([
  ['reads are not cached by default', {}, { shared: false, ttlMs: 0 }],
  ['a read is cached as long as it says', { cache: '90s' }, { shared: false, ttlMs: 90_000 }],
  ['a shared one says so', { shared: true, cache: '1h' }, { shared: true, ttlMs: 3_600_000 }],
] as const)('%s', (_rule, more, expected) => {
  expect(entryOf(defineResource({ ...full, ...more }))).toMatchObject(expected)
})

test('a template with `list` is dynamic', () => {
  const template = { uri: 'a:{b}', mime: 'text/plain', read } as const
  expect(entryOf(defineResource({ ...template, list: () => ({ resources: [] }) })).dynamic).toBe(
    true,
  )
  expect(entryOf(defineResource(template)).dynamic).toBe(false)
})

test('finds how each variable is completed', () => {
  const resource = defineResource({
    uri: 'shop://{shelf}/{sku}{?size,page,color}',
    mime: 'text/plain',
    params: z.object({
      shelf: z.enum(['knives', 'pans']),
      sku: z.string(),
      size: z.union([z.literal('S'), z.literal('M')]).optional(),
      page: z.coerce.number().optional(),
      color: z.enum(['red']).optional(),
    }),
    complete: { sku: () => [], color: () => ['red'] },
    read,
  })
  expect(entryOf(resource).arguments).toEqual([
    { name: 'shelf', suggestions: ['knives', 'pans'] },
    { name: 'sku', suggestions: 'completer' },
    { name: 'size', suggestions: ['S', 'M'] },
    { name: 'page', suggestions: [] },
    { name: 'color', suggestions: 'completer' },
  ])
})

test('a fixed URI has no variables', () => {
  expect(entryOf(defineResource(full)).arguments).toEqual([])
})

const mime = 'text/plain'
const list = (): { resources: [] } => ({ resources: [] })
const sku = z.object({ sku: z.string() })
// as an untyped author would write it
const complete = JSON.parse('{"nothing":1}')

test.each<[string, Resource, readonly RegExp[]]>([
  ['a fixed URI', defineResource({ uri: 'a:b', mime, size: 3, read }), []],
  [
    'a template that uses everything',
    defineResource({ uri: 'a:{sku}', mime, params: sku, complete: { sku: () => [] }, list, read }),
    [],
  ],
  [
    'a template that cannot be matched',
    defineResource({ uri: 'a:{b}{c}', mime, read }),
    [/`uri` is "a:{b}{c}"\. There is no separator between/],
  ],
  [
    'a fixed URI with members of templates',
    defineResource({ uri: 'a:b', mime, params: sku, complete, list, read }),
    [
      /`params` is for templates, and "a:b" is not a template/,
      /`complete` is for/,
      /`list` is for/,
    ],
  ],
  [
    'a template with a size',
    defineResource({ uri: 'a:{b}', mime, size: 3, read }),
    [/`size` is for a single resource/],
  ],
  [
    'a schema that requires an unknown variable',
    defineResource({ uri: 'a:{id}', mime, params: sku, read }),
    [/`params` requires "sku", which is not a variable of "a:{id}"/],
  ],
  [
    'a completer for an unknown variable',
    defineResource({ uri: 'a:{id}', mime, complete, read }),
    [/`complete` has "nothing", but there is no such variable\. There are: id\./],
  ],
])('finds the problems of %s', (_, resource, sentences) => {
  const problems = findResourceProblems(resource)
  expect(problems).toEqual(sentences.map((sentence) => expect.stringMatching(sentence)))
})
