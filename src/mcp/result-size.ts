import { ToolError } from '../define/reply.ts'
import { excerpt } from '../util/excerpt.ts'

/**
 * Returns the text if it fits into one result.
 *
 * @throws {ToolError} when it has more than `maxBytes` bytes of UTF-8.
 */
export function checkSize(what: string, printed: string, maxBytes: number): string {
  // a UTF-16 unit is at most three bytes of UTF-8, so most results need not be counted
  if (printed.length * 3 <= maxBytes) return printed
  if (new TextEncoder().encode(printed).byteLength > maxBytes) throw tooLarge(what, maxBytes)
  return printed
}

export function tooLarge(what: string, maxBytes: number): ToolError {
  return new ToolError(
    `${excerpt(what)} has more than ${maxBytes} bytes, the most that this server sends in one result. ` +
      'Ask for a part of it, if it has parts.',
  )
}

/** Cuts text that is too long, and adds a note: unlike JSON, text stays useful. */
export function cutText(text: string, maxBytes: number): string {
  if (surelyFits(text, maxBytes)) return text
  const printed = new TextEncoder().encode(JSON.stringify(text)).byteLength
  if (printed <= maxBytes - noteRoom) return text
  const fitting = Math.floor((text.length * (maxBytes - noteRoom)) / printed)
  // a cut between two surrogates would leave half a character
  const end = text.slice(0, fitting).isWellFormed() ? fitting : fitting - 1
  return (
    `${text.slice(0, Math.max(end, 0))}\n[Cut here: ${end} of ${text.length} characters are shown, ` +
    `as this server sends at most ${maxBytes} bytes a result.]`
  )
}

/** Bytes reserved for the note and for the JSON around the text. */
const noteRoom = 512

/** A cheap check that a text certainly fits when it is printed as JSON. */
function surelyFits(text: string, maxBytes: number): boolean {
  // a UTF-16 unit is at most three bytes of UTF-8, or six as an escape
  return text.length * 6 + noteRoom <= maxBytes
}
