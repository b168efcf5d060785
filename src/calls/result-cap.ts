import { toErrorMembers } from './tool-result.ts'

/**
 * A result that is too long for the reply becomes an `isError` result that says so: JSON that is cut
 * short parses no more, and a model that is told the sizes can ask for less.
 */
export function toBounded(name: string, members: string, maxBytes: number): string {
  if (surelyFits(members, maxBytes)) return members
  const bytes = new TextEncoder().encode(members).byteLength
  if (bytes <= maxBytes) return members
  return toErrorMembers(
    `The result of ${name} has ${bytes} bytes; this server sends at most ${maxBytes}. ` +
      'Ask for less, such as fewer items or a narrower range.',
  )
}

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

function surelyFits(text: string, maxBytes: number): boolean {
  // a UTF-16 unit is at most three bytes of UTF-8, or six as an escape: most results need no counting
  return text.length * 6 + noteRoom <= maxBytes
}
