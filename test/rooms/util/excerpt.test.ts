import { expect, it } from 'vitest'
import { excerpt } from '../../../src/util/excerpt.ts'

it.each([
  ['a short text', 'abc', 'abc'],
  ['a text of just the length', 'abcd', 'abcd'],
  ['a longer text', 'abcde', 'abcd…'],
  ['a character that would be cut in half', 'abc😀', 'abc…'],
  ['a character that just fits', 'ab😀c', 'ab😀…'],
  ['half a character, which was sent like this', 'abc\ud83dx', 'abc\ud83d…'],
])('shortens %s', (_, text, shown) => {
  expect(excerpt(text, 4)).toBe(shown)
})

it('keeps 200 characters by default', () => {
  expect(excerpt('x'.repeat(201))).toBe(`${'x'.repeat(200)}…`)
})
