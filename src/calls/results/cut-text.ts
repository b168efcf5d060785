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
