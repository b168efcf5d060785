/*
 * The flags of England, Scotland and Wales are the only tag sequences that are recommended for
 * interchange (Unicode UTS #51). Any other flag could spell six hidden letters.
 */
const tagged =
  /(\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F})|[\u{E0000}-\u{E007F}]/gu

/** Removes tag characters: an invisible copy of ASCII, in which whole instructions can be hidden. */
export function removeTags(text: string): string {
  return text.replace(tagged, '$1')
}
