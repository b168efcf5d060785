import { expect, test } from 'vitest'
import { PrintedList } from '../../../src/mcp/lists.ts'
import { type Sanitizer, createSanitizer } from '../../../src/out/sanitizer.ts'

const sanitizer = createSanitizer([])

const names = ['b', 'a', 'B', 'a.b', 'constructor', 'a_b', 'c', 'a-b']
const entries = names.map((key) => ({ key, listed: JSON.stringify({ name: key }) }))

interface Printed {
  readonly tools: readonly { readonly name: string }[]
  readonly nextCursor?: string
}

/** Prints a page as the JSON text of its members. */
function print(list: PrintedList, cursor: string | undefined, clean: Sanitizer): string | null {
  return list.print(cursor, clean)?.members ?? null
}

function walk(size?: number): Printed[] {
  const list = new PrintedList('tools', entries, size)
  const pages: Printed[] = []
  let cursor: string | undefined
  do {
    const page: Printed = JSON.parse(`{${print(list, cursor, sanitizer)}}`)
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
  expect(print(once, undefined, sanitizer)).toBe(print(again, undefined, sanitizer))
  expect(print(once, undefined, sanitizer)).toBe(print(once, undefined, sanitizer))
})

test('returns the first page to whoever asks after somebody took the second', () => {
  const list = new PrintedList('tools', entries, 3)
  const first = print(list, undefined, sanitizer)
  const { nextCursor }: Printed = JSON.parse(`{${first}}`)
  expect(print(list, nextCursor, sanitizer)).not.toBe(first)
  expect(print(list, undefined, sanitizer)).toBe(first)
})

test('continues after a cursor whose entry was removed', () => {
  const before = print(new PrintedList('tools', entries, 2), undefined, sanitizer) ?? ''
  const { nextCursor, tools }: Printed = JSON.parse(`{${before}}`)
  const rest = entries.filter(({ key }) => key !== tools[1]?.name)
  const after: Printed = JSON.parse(
    `{${print(new PrintedList('tools', rest, 2), nextCursor, sanitizer)}}`,
  )
  expect(after.tools.map(({ name }) => name)).toEqual(names.toSorted().slice(2, 4))
})

test('refuses every cursor when it is one page', () => {
  const { nextCursor }: Printed = JSON.parse(
    `{${print(new PrintedList('tools', entries, 2), undefined, sanitizer)}}`,
  )
  expect(print(new PrintedList('tools', entries), nextCursor, sanitizer)).toBeNull()
})

test('an empty list prints as one', () => {
  expect(print(new PrintedList('tools', [], 2), undefined, sanitizer)).toBe('"tools":[]')
})

test('cleans each page, and again for a Worker with other secrets', () => {
  const dirty = [{ key: 'a', listed: JSON.stringify({ name: 'hid\u202Eden hunter2' }) }]
  const list = new PrintedList('tools', [...dirty, ...entries], 5)
  const first = print(list, undefined, sanitizer) ?? ''
  expect(first).toContain('hidden hunter2')
  expect(print(list, undefined, createSanitizer(['hunter2']))).toContain('hidden [secret]')
  expect(print(list, undefined, sanitizer)).toBe(first)
})

test('knows the bytes of a page, for the audit line', () => {
  const list = new PrintedList('tools', [{ key: 'a', listed: '{"name":"é"}' }])
  expect(list.print(undefined, sanitizer)).toEqual({ members: '"tools":[{"name":"é"}]', bytes: 23 })
})
