/**
 * The value of one variable in a URI, decoded once, or `null` where it could be mistaken for more
 * than a value: with an escape that is not well-formed UTF-8, an encoded slash, a backslash, a
 * control character, a segment of `.` or `..`, or a slash in front.
 *
 * Such a value is refused rather than cleaned. Authors put values into file paths, keys and URLs, and
 * whatever is decoded a second time further on must not climb out of its folder there
 * (server/resources, "Security Considerations").
 */
export function readUriValue(text: string): string | null {
  if (/%2f/i.test(text)) return null
  const value = decode(text)
  if (value === null || /[\p{Cc}\\]/u.test(value) || value.startsWith('/')) return null
  return value.split('/').some((segment) => segment === '.' || segment === '..') ? null : value
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
