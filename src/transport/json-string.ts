/**
 * The index of the quote that closes a JSON string, given the index of the one that opens it. Text
 * without a closing quote answers its length: `JSON.parse` will say what is wrong with it.
 */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text.charAt(first - 1) === '\\') first--
  return (at - first) % 2 === 1
}
