import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  PurgeTimes,
  listTag,
  toPurgeTags,
  toReadTags,
  toToolTags,
} from '../../../src/cache/purge.ts'

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

test('a tool is not purged with another tool', () => {
  const others = toPurgeTags({ tools: ['shop', 'search', 'all', 'tools'], lists: true })
  expect(toToolTags('shop.search').filter((tag) => others.includes(tag))).toEqual([])
})

test.each([
  ['a fixed URI', 'shop://catalog', 'shop://catalog', 1],
  ['a URI of a template', 'shop://products/1', 'shop://products/{sku}', 2],
])('a read of %s is purged by its URI and by that of its entry', (_, uri, entryUri, count) => {
  const tags = toReadTags(uri, entryUri)
  expect(tags).toHaveLength(count)
  expect(new Set(tags)).toEqual(new Set(toPurgeTags({ resources: [uri, entryUri] })))
})

test('a read of one URI is not purged with another URI', () => {
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

test.each([[{}], [{ lists: false }], [{ tools: [], resources: [] }]])(
  'a purge of %j has no tags',
  (what) => {
    expect(toPurgeTags(what)).toEqual([])
  },
)

test('one purge can name tools, resources and lists', () => {
  const tags = toPurgeTags({ tools: ['add'], resources: ['a:b'], lists: true })
  expect(tags).toEqual(['tool:add', 'uri:a%3Ab', listTag])
})

test.each(awkward.map((uri) => [uri]))('%j becomes a tag that the platform accepts', (uri) => {
  const tags = [...toReadTags(uri, 'shop://{+any}'), ...toPurgeTags({ resources: [uri] })]
  expect(tags.filter((tag) => !/^[\x21-\x2b\x2d-\x7e]{1,1024}$/.test(tag))).toEqual([])
})

test('URIs that differ only after the limit are purged together', () => {
  const long = `shop://${'a'.repeat(2_000)}`
  expect(toReadTags(`${long}1`, `${long}1`)).toEqual(toPurgeTags({ resources: [`${long}2`] }))
})

const now = Date.parse('2026-12-01T12:00:00Z')

let times: PurgeTimes
beforeEach(() => {
  vi.useFakeTimers({ now, toFake: ['Date'] })
  times = new PurgeTimes()
})
afterEach(() => void vi.useRealTimers())

test('a new memory has no purges', () => {
  expect(times.last(['tools', 'tool:add']) >= now - 1_000).toBe(false)
  expect(times.last([]) >= now - 1_000).toBe(false)
})

describe.each([
  ['a tag', ['tool:add']],
  ['everything', 'everything'],
] as const)('after a purge of %s', (_, purged) => {
  test.each([
    ['before it', -1, true],
    // a result begun in the same millisecond may have read the old data
    ['at that time', 0, true],
    ['after it', 1, false],
  ])('a result made %s counts as purged: %d ms', (_, passed, isPurged) => {
    times.add(purged)
    expect(times.last(['tools', 'tool:add']) >= now + passed).toBe(isPurged)
  })

  test('the last purge counts', () => {
    times.add(purged)
    vi.setSystemTime(now + 5_000)
    times.add(purged)
    expect(times.last(['tool:add']) >= now + 4_000).toBe(true)
    expect(times.last(['tool:add']) >= now + 6_000).toBe(false)
  })
})

test.each([
  [['tool:add'], ['tool:add'], true],
  [['tool:add'], ['tools', 'tool:add'], true],
  [['tool:add', 'resources'], ['resources'], true],
  [['Tool:ADD'], ['tool:add'], true], // the platform ignores case
  [['tool:add'], ['TOOL:Add'], true],
  [['tool:add'], ['tool:subtract', 'tools'], false],
  [['tool:add'], ['tool:add2'], false],
  [['tool:add'], [], false],
  [[], ['tool:add'], false],
])('a purge of %j reaches a result tagged %j: %s', (purged, tags, isPurged) => {
  times.add(purged)
  expect(times.last(tags) >= now - 1).toBe(isPurged)
})

test('a purge of everything reaches a result without tags', () => {
  times.add('everything')
  expect(times.last([]) >= now - 1).toBe(true)
})

describe('a full memory', () => {
  const others = Array.from({ length: 999 }, (_, number) => `tool:${number}`)

  test('holds a thousand tags', () => {
    times.add(['tool:add', ...others])
    expect(times.last(['tool:add']) >= now - 1).toBe(true)
    expect(times.last(['tool:998']) >= now - 1).toBe(true)
  })

  test('does not forget a tag that was purged again recently', () => {
    times.add(['tool:add', ...others])
    vi.setSystemTime(now + 5_000)
    times.add(['tool:add'])
    times.add(['tool:new'])
    expect(times.last(['tool:add']) >= now + 4_000).toBe(true)
  })

  test('counts a forgotten tag as purged', () => {
    times.add(['tool:add', ...others, 'tool:new'])
    expect(times.last(['tool:add']) >= now - 1).toBe(true)
  })
})
