import { expect, test } from 'vitest'
import { listTag, toPurgeTags, toReadTags, toToolTags } from '../../../src/cache/purge.ts'

// Cache-Tag: printable ASCII without spaces, no more than 1,024 characters, and case is ignored

const awkward = [
  'shop://a,b',
  'shop://a b',
  'shop://ä/🙂',
  'shop://"a"\\',
  'shop://\ud800',
  `shop://${'a'.repeat(5_000)}`,
  `shop://${'ä'.repeat(5_000)}`,
  '',
]

test('a tool is purged by its name, and with all tools', () => {
  const tags = toToolTags('shop.search')
  expect(tags).toEqual(expect.arrayContaining(toPurgeTags({ tools: ['shop.search'] })))
  expect(tags).toEqual(expect.arrayContaining(toPurgeTags({ tools: 'all' })))
})

test('a tool is not purged with another one', () => {
  const others = toPurgeTags({ tools: ['shop', 'search', 'all', 'tools'], lists: true })
  expect(toToolTags('shop.search').filter((tag) => others.includes(tag))).toEqual([])
})

test.each([
  ['a fixed URI', 'shop://catalog', 'shop://catalog', 1],
  ['a URI of a template', 'shop://products/1', 'shop://products/{sku}', 2],
])('what was read at %s is purged by it and by what serves it', (_, uri, entryUri, count) => {
  const tags = toReadTags(uri, entryUri)
  expect(tags).toHaveLength(count)
  expect(new Set(tags)).toEqual(new Set(toPurgeTags({ resources: [uri, entryUri] })))
})

test('what was read at one URI is not purged with another', () => {
  const template = 'shop://products/{sku}'
  const others = toPurgeTags({ resources: ['shop://products/2', 'shop://products/'], lists: true })
  expect(toReadTags('shop://products/1', template).filter((tag) => others.includes(tag))).toEqual(
    [],
  )
})

test('lists are purged only as lists', () => {
  expect(toPurgeTags({ lists: true })).toEqual([listTag])
  expect(toPurgeTags({ resources: ['resources'], tools: ['resources'] })).not.toContain(listTag)
})

test.each([[{}], [{ lists: false }], [{ tools: [], resources: [] }]])('%j is nothing', (what) => {
  expect(toPurgeTags(what)).toEqual([])
})

test('purges all at once', () => {
  const tags = toPurgeTags({ tools: ['add'], resources: ['a:b'], lists: true })
  expect(tags).toEqual(['tool:add', 'uri:a%3Ab', listTag])
})

test.each(awkward.map((uri) => [uri]))('%j becomes a tag that the platform takes', (uri) => {
  const tags = [...toReadTags(uri, 'shop://{+any}'), ...toPurgeTags({ resources: [uri] })]
  expect(tags.filter((tag) => !/^[\x21-\x2b\x2d-\x7e]{1,1024}$/.test(tag))).toEqual([])
})

test('URIs that differ only far beyond the limit are purged together', () => {
  const long = `shop://${'a'.repeat(2_000)}`
  expect(toReadTags(`${long}1`, `${long}1`)).toEqual(toPurgeTags({ resources: [`${long}2`] }))
})
