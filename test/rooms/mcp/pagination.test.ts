import { expect, test } from 'vitest'
import { readCursor, toCursor, toPage } from '../../../src/mcp/pagination.ts'

test.each(['a', 'billing.refund', 'Grüße, 世界', 'two\nlines', ''])(
  'a cursor after "%s" is read as such',
  (last) => {
    expect(readCursor('tools', toCursor('tools', last))).toBe(last)
  },
)

test('is opaque: a cursor does not show the name in it', () => {
  expect(toCursor('tools', 'refund')).not.toContain('refund')
})

test('is valid for its own list only', () => {
  expect(readCursor('prompts', toCursor('tools', 'a'))).toBeNull()
})

test('is refused with any one character changed, cut or added', () => {
  const cursor = toCursor('tools', 'refund')
  const swaps = Array.from({ length: cursor.length }, (_, index) => {
    const other = cursor[index] === 'A' ? 'B' : 'A'
    return cursor.slice(0, index) + other + cursor.slice(index + 1)
  })
  const spoilt = [...swaps, cursor.slice(1), cursor.slice(0, -1), `${cursor}A`, `${cursor}=`]
  expect(spoilt.map((text) => readCursor('tools', text))).toEqual(spoilt.map(() => null))
})

test.each(['', '1', 'eyJwYWdlIjogMn0=', 'ÿ', '____'])('refuses "%s"', (text) => {
  expect(readCursor('tools', text)).toBeNull()
})

test('pages bring every entry once, and the last page promises no other', () => {
  const entries = ['a', 'b', 'c', 'd'].map((key) => ({ key, listed: key.toUpperCase() }))
  const first = toPage('tools', entries, 2, undefined)
  expect(first).toEqual({ items: entries.slice(0, 2), next: toCursor('tools', 'b') })
  expect(toPage('tools', entries, 2, first?.next)).toEqual({ items: entries.slice(2) })
})

test('a page goes on after its last entry, even where a deploy has removed that entry', () => {
  const entries = ['a', 'c', 'd'].map((key) => ({ key, listed: key }))
  const page = toPage('tools', entries, 2, toCursor('tools', 'b'))
  expect(page).toEqual({ items: entries.slice(1) })
})
