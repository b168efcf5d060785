/** How many characters of what a client sent an error repeats at most. */
export const maxRepeated = 200

/**
 * Returns the beginning of a text that somebody else wrote, for an error: a request may send a
 * megabyte, and its error would otherwise send it back.
 */
export function excerpt(text: string, most: number = maxRepeated): string {
  if (text.length <= most) return text
  // not between the two halves of a surrogate pair
  const end = (text.codePointAt(most - 1) ?? 0) > 0xffff ? most - 1 : most
  return `${text.slice(0, end)}…`
}
