import { expect, test } from 'vitest'
import { PrintedList } from '../../../src/mcp/lists.ts'
import { createSanitizer } from '../../../src/out/sanitizer.ts'

const sanitizer = createSanitizer([])

const names = ['b', 'a', 'B', 'a.b', 'constructor', 'a_b', 'c', 'a-b']
const entries = names.map((key) => ({ key, listed: JSON.stringify({ name: key }) }))

interface Printed {
  readonly tools: readonly { readonly name: string }[]
  readonly nextCursor?: string
}

function walk(size?: number): Printed[] {
  const list = new PrintedList('tools', entries, size)
  const pages: Printed[] = []
  let cursor: string | undefined
  do {
    const page: Printed = JSON.parse(`{${list.print(cursor, sanitizer)}}`)
    pages.push(page)
    cursor = page.nextCursor
  } while (cursor !== undefined && pages.length < 100)
  return pages
}

test('is whole and sorted by code unit unless a page size is set', () => {
  const [page, ...more] = walk()
  expect(more).toEqual([])
  expect(page?.tools.map(({ name }) => name)).toEqual(names.toSorted())
})

test.each([1, 2, 3, 7, 8, 9])('gives every entry exactly once over pages of %i', (size) => {
  const pages = walk(size)
  expect(pages.flatMap(({ tools }) => tools.map(({ name }) => name))).toEqual(names.toSorted())
  expect(pages).toHaveLength(Math.ceil(names.length / size))
  expect(pages.every(({ tools }) => tools.length <= size)).toBe(true)
})

test('is the same to the byte each time', () => {
  const [once, again] = [
    new PrintedList('tools', entries, 3),
    new PrintedList('tools', entries.toReversed(), 3),
  ]
  expect(once.print(undefined, sanitizer)).toBe(again.print(undefined, sanitizer))
  expect(once.print(undefined, sanitizer)).toBe(once.print(undefined, sanitizer))
})

test('returns the first page to whoever asks after somebody took the second', () => {
  const list = new PrintedList('tools', entries, 3)
  const first = list.print(undefined, sanitizer)
  const { nextCursor }: Printed = JSON.parse(`{${first}}`)
  expect(list.print(nextCursor, sanitizer)).not.toBe(first)
  expect(list.print(undefined, sanitizer)).toBe(first)
})

test('continues after a cursor whose entry was removed', () => {
  const before = new PrintedList('tools', entries, 2).print(undefined, sanitizer) ?? ''
  const { nextCursor, tools }: Printed = JSON.parse(`{${before}}`)
  const rest = entries.filter(({ key }) => key !== tools[1]?.name)
  const after: Printed = JSON.parse(
    `{${new PrintedList('tools', rest, 2).print(nextCursor, sanitizer)}}`,
  )
  expect(after.tools.map(({ name }) => name)).toEqual(names.toSorted().slice(2, 4))
})

test('refuses every cursor when it is one page', () => {
  const { nextCursor }: Printed = JSON.parse(
    `{${new PrintedList('tools', entries, 2).print(undefined, sanitizer)}}`,
  )
  expect(new PrintedList('tools', entries).print(nextCursor, sanitizer)).toBeNull()
})

test('an empty list prints as one', () => {
  expect(new PrintedList('tools', [], 2).print(undefined, sanitizer)).toBe('"tools":[]')
})

test('cleans each page, and again for a Worker with other secrets', () => {
  const dirty = [{ key: 'a', listed: JSON.stringify({ name: 'hid\u202Eden hunter2' }) }]
  const list = new PrintedList('tools', [...dirty, ...entries], 5)
  const first = list.print(undefined, sanitizer) ?? ''
  expect(first).toContain('hidden hunter2')
  expect(list.print(undefined, createSanitizer(['hunter2']))).toContain('hidden [secret]')
  expect(list.print(undefined, sanitizer)).toBe(first)
})
