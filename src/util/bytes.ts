/** Returns the bytes of a buffer or of any view of one; `null` for any other value. */
export function toBytes(value: unknown): Uint8Array | null {
  if (value instanceof Uint8Array) return value
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  if (!ArrayBuffer.isView(value)) return null
  return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
}

/** Converts bytes to standard Base64. */
export function toBase64(bytes: Uint8Array): string {
  return bytes.toBase64()
}

/**
 * Returns Base64 text in its standard spelling: other alphabets, line breaks and missing padding are
 * corrected. Returns `null` for text that is not Base64, such as two words.
 */
export function toStandardBase64(text: string): string | null {
  if (isStandardBase64(text)) return text
  const unpadded = text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .join('')
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/={1,2}$/, '')
  const padded = unpadded.padEnd(Math.ceil(unpadded.length / 4) * 4, '=')
  return isStandardBase64(padded) ? padded : null
}

/** Decodes natively, which for large texts is many times faster than a regular expression. */
function isStandardBase64(text: string): boolean {
  try {
    const { length } = atob(text)
    // atob skips white space and accepts missing padding: both show in the length and at the end
    const padding = '='.repeat((3 - (length % 3)) % 3)
    return text.length === Math.ceil(length / 3) * 4 && text.endsWith(padding)
  } catch {
    return false
  }
}

/** Converts bytes to Base64url without padding, for use in URLs. */
export function toBase64Url(bytes: Uint8Array): string {
  return bytes.toBase64({ alphabet: 'base64url', omitPadding: true })
}

/** Reads Base64url text without padding; `null` for any other text. */
export function readBase64Url(text: string): Uint8Array | null {
  return readStrict(text, 'base64url')
}

/** Reads standard Base64 text with padding; `null` for any other text. */
export function readBase64(text: string): Uint8Array | null {
  return readStrict(text, 'base64')
}

function readStrict(text: string, alphabet: 'base64' | 'base64url'): Uint8Array | null {
  try {
    const bytes = Uint8Array.fromBase64(text, { alphabet })
    // fromBase64 skips white space and accepts missing padding; here only one spelling is valid
    const spelling = bytes.toBase64({ alphabet, omitPadding: alphabet === 'base64url' })
    return spelling === text ? bytes : null
  } catch {
    return null
  }
}

export function concatBytes(chunks: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.byteLength, 0))
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}
