import { expect, test } from 'vitest'
import {
  type RowSource,
  type RowPage,
  toCursor,
  toMergedPage,
} from '../../../src/mcp/pagination.ts'

/** A source that holds `count` entries and gives `size` of them at a time. */
function source(key: string, count: number, size: number): RowSource {
  const all = Array.from({ length: count }, (_, index) => `${key}${index}`)
  return {
    key,
    list(cursor) {
      const start = cursor === undefined ? 0 : Number(cursor)
      if (Number.isNaN(start)) return null
      const end = start + size
      const listed = all.slice(start, end)
      return end < count ? { listed, next: String(end) } : { listed }
    },
  }
}

async function walk(sources: readonly RowSource[], size: number): Promise<RowPage[]> {
  const pages: RowPage[] = []
  let cursor: string | undefined
  do {
    // oxlint-disable-next-line no-await-in-loop
    const page = await toMergedPage('all', sources, size, cursor)
    if (page === null) throw new Error(`page ${pages.length} refused its cursor`)
    pages.push(page)
    cursor = page.next
  } while (cursor !== undefined && pages.length < 100)
  return pages
}

const sources = [
  source('', 5, 2),
  source('a', 0, 3),
  source('b', 7, 3),
  source('c', 1, 10),
  source('d', 4, 4),
]
const everything = sources.flatMap(({ key }) =>
  Array.from({ length: { '': 5, a: 0, b: 7, c: 1 }[key] ?? 4 }, (_, index) => `${key}${index}`),
)

test.each([1, 2, 3, 4, 100, Infinity])(
  'gives every entry of every source exactly once, %d to a page',
  async (size) => {
    const pages = await walk(sources, size)
    expect(pages.flatMap(({ listed }) => listed)).toEqual(everything)
  },
)

test('goes on to the next sources until the page has its size', async () => {
  const pages = await walk([source('a', 2, 9), source('b', 2, 9), source('c', 2, 9)], 3)
  expect(pages.map(({ listed }) => listed)).toEqual([
    ['a0', 'a1', 'b0', 'b1'],
    ['c0', 'c1'],
  ])
})

test('ends with the source that fills it', async () => {
  const pages = await walk([source('a', 3, 9), source('b', 2, 9)], 3)
  expect(pages.map(({ listed }) => listed)).toEqual([
    ['a0', 'a1', 'a2'],
    ['b0', 'b1'],
  ])
})

test('is one page where no source has more to give and no size is set', async () => {
  expect(await walk([source('a', 2, 9), source('b', 2, 9)], Infinity)).toHaveLength(1)
})

test('passes a source its own cursor unchanged, line breaks included', async () => {
  const seen: (string | undefined)[] = []
  const odd: RowSource = {
    key: 'odd',
    list(cursor) {
      seen.push(cursor)
      return cursor === undefined ? { listed: [], next: '1\n\n2' } : { listed: ['last'] }
    },
  }
  await walk([odd], 10)
  expect(seen).toEqual([undefined, '1\n\n2'])
})

test('distinguishes an empty cursor from none', async () => {
  const seen: (string | undefined)[] = []
  const odd: RowSource = {
    key: 'odd',
    list(cursor) {
      seen.push(cursor)
      return cursor === undefined ? { listed: [], next: '' } : { listed: ['last'] }
    },
  }
  await walk([odd], 10)
  expect(seen).toEqual([undefined, ''])
})

test.each([
  ['that is no cursor', 'b'],
  ['of another list', toCursor('other', 'b')],
  ['of a source that is gone', toCursor('all', 'gone')],
  ['that the source does not know', toCursor('all', 'b\nnothing')],
  ['that is empty', ''],
])('refuses a cursor %s', async (_kind, cursor) => {
  expect(await toMergedPage('all', sources, 2, cursor)).toBeNull()
})
