import { expect, test } from 'vitest'
import { cutText, toBounded } from '../../../src/mcp/tool-result.ts'

const size = (text: string): number => new TextEncoder().encode(text).byteLength

test.each(['short', '', 'ü'.repeat(1_700), 'a'.repeat(3_400)])(
  'leaves a text that fits (%#)',
  (text) => {
    expect(cutText(text, 4_000)).toBe(text)
  },
)

test.each([
  ['ASCII', 'a'.repeat(5_000)],
  ['escapes', '"\n'.repeat(4_000)],
  ['umlauts', 'ü'.repeat(5_000)],
  ['characters of two units', '😀'.repeat(5_000)],
  ['characters of two units, one off', `a${'😀'.repeat(5_000)}`],
])('cuts a long text of %s with a note, within the cap and between characters', (_, text) => {
  const cut = cutText(text, 4_000)
  expect(size(JSON.stringify(cut))).toBeLessThanOrEqual(4_000)
  expect(cut).toMatch(/\[Cut here: \d+ of \d+ characters are shown, .* 4000 bytes a result\.\]$/)
  expect(cut.isWellFormed()).toBe(true)
  expect(text.startsWith(cut.slice(0, cut.lastIndexOf('\n')))).toBe(true)
})

test('leaves members that fit to the byte, and explains those that do not', () => {
  const members = `"content":[],"structuredContent":"${'ü'.repeat(2_000)}"`
  expect(toBounded('search', members, size(members))).toBe(members)
  const refused = JSON.parse(`{${toBounded('search', members, size(members) - 1)}}`)
  expect(refused.isError).toBe(true)
  expect(refused.content[0].text).toContain(`The result of search has ${size(members)} bytes`)
})
