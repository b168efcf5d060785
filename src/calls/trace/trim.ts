/** Trims the white space of HTTP lists. Not `String.trim`, which takes line breaks too. */
export function trimListMember(text: string): string {
  return text.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, '')
}
