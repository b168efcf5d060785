/**
 * Tells whether a `Content-Type` is JSON in UTF-8, the one encoding of JSON between systems
 * (RFC 8259, 8.1). Parameters other than `charset` do not matter.
 */
export function isJsonContentType(contentType: string): boolean {
  if (contentType === 'application/json') return true
  const [type, ...parameters] = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  return type === 'application/json' && parameters.every(isHarmless)
}

function isHarmless(parameter: string): boolean {
  return !parameter.startsWith('charset=') || /^charset="?utf-?8"?$/.test(parameter)
}
