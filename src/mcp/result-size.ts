import { ToolError } from '../define/reply.ts'

/** Text stays useful when it is cut, so it is, with a note that a reader cannot miss. */
export function cutText(text: string, maxBytes: number): string {
  if (surelyFits(text, maxBytes)) return text
  const printed = new TextEncoder().encode(JSON.stringify(text)).byteLength
  if (printed <= maxBytes - noteRoom) return text
  const kept = Math.floor((text.length * (maxBytes - noteRoom)) / printed)
  // a cut between two surrogates would leave half a character
  const end = text.slice(0, kept).isWellFormed() ? kept : kept - 1
  return (
    `${text.slice(0, Math.max(end, 0))}\n[Cut here: ${end} of ${text.length} characters are shown, ` +
    `as this server sends at most ${maxBytes} bytes a result.]`
  )
}

/** Bytes kept free for the note and for what surrounds the text in its result. */
const noteRoom = 512

/** Tells at a glance that a text fits once it is printed as JSON. */
export function surelyFits(text: string, maxBytes: number): boolean {
  // a UTF-16 unit is at most three bytes of UTF-8, or six as an escape: most results need no counting
  return text.length * 6 + noteRoom <= maxBytes
}

/**
 * Returns printed text that fits into one result.
 *
 * @throws {ToolError} when it has more than `maxBytes` bytes of UTF-8.
 */
export function checkSize(what: string, printed: string, maxBytes: number): string {
  // a UTF-16 unit is at most three bytes of UTF-8: most results need no counting
  if (printed.length * 3 <= maxBytes) return printed
  if (new TextEncoder().encode(printed).byteLength > maxBytes) throw tooLarge(what, maxBytes)
  return printed
}

/** The error for a result that is larger than one may be. */
export function tooLarge(what: string, maxBytes: number): ToolError {
  return new ToolError(
    `${what} has more than ${maxBytes} bytes, and this server sends no more in one result. ` +
      'Ask for a part of it, where it has parts.',
  )
}
