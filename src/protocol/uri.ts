/** Longer URIs are not matched. */
const longestUri = 8_192

/** The characters of a URI (RFC 3986, 2), and escapes of two hexadecimal digits. */
const uriText = /^[a-z][a-z\d+.-]*:(?:[\w.~:/?#[\]@!$&'()*+,;=-]|%[\da-f]{2})*$/i

/** Characters beyond ASCII that nobody sees or writes in a URI, and half surrogate pairs. */
const unwritten = /(?![\0-\x7f])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u

/** A `.` or `..` as a segment of the path, with or without an authority before it. */
const dotSegment = /^[^:]*:(?:[^?#]*\/)?\.\.?(?:[/?#]|$)/

/**
 * Returns the normal form of a URI, in which URIs are compared (RFC 3986, 6.2.2): the scheme is in lower
 * case, escapes are in upper case, and unreserved characters are not escaped. Letters beyond ASCII are
 * escaped (RFC 3987, 3.1), since people and models write them as they are. Returns `null` for text
 * that is not a URI, is longer than 8,192 characters, or has a `.` or `..` segment: clients resolve
 * those before a request, so one that arrives was hidden from something on the way.
 *
 * The host keeps its case, because a template may take a value from it: see {@link withLowerHost}.
 */
export function toNormalUri(text: string): string | null {
  if (text.length > longestUri || unwritten.test(text)) return null
  const uri = text.replaceAll(/[^\0-\x7f]+/gu, encodeURIComponent)
  if (!uriText.test(uri)) return null
  const end = uri.indexOf(':')
  const normal = uri.slice(0, end).toLowerCase() + normalizeEscapes(uri.slice(end))
  return dotSegment.test(normal) ? null : normal
}

/** Decodes the escapes of unreserved characters, and writes all others in upper case. */
export function normalizeEscapes(text: string): string {
  return text.replaceAll(/%[\da-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16))
    return /[\w.~-]/.test(character) ? character : escape.toUpperCase()
  })
}

/** Writes the host of a URI in normal form in lower case, which is right where it is not a value. */
export function withLowerHost(uri: string): string {
  return uri.replace(/^[^:]*:\/\/[^/?#]*/, (start) => normalizeEscapes(start.toLowerCase()))
}
