import { expect, test } from 'vitest'
import { ToolError } from '../../../src/define/reply.ts'
import { checkSize, cutText } from '../../../src/mcp/result-size.ts'

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

test('returns printed text that fits to the byte, and throws for one byte more', () => {
  const printed = 'ü'.repeat(2_000)
  expect(checkSize('search', printed, size(printed))).toBe(printed)
  const check = (): string => checkSize('search', printed, size(printed) - 1)
  expect(check).toThrow(ToolError)
  expect(check).toThrow(`search has more than ${size(printed) - 1} bytes`)
})
