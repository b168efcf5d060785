/** Standard Base64 of bytes; text is taken to be Base64 already and passes through. */
export function toBase64(data: Uint8Array | string): string {
  return typeof data === 'string' ? data : data.toBase64()
}

/** Base64url without padding, for ids, cursors and digests that travel in URLs. */
export function toBase64Url(bytes: Uint8Array): string {
  return bytes.toBase64({ alphabet: 'base64url', omitPadding: true })
}

/** The bytes of Base64url text without padding, or `null` where it is anything else. */
export function readBase64Url(text: string): Uint8Array | null {
  return readStrict(text, 'base64url')
}

/** The bytes of standard Base64 text with its padding, or `null` where it is anything else. */
export function readBase64(text: string): Uint8Array | null {
  return readStrict(text, 'base64')
}

function readStrict(text: string, alphabet: 'base64' | 'base64url'): Uint8Array | null {
  try {
    const bytes = Uint8Array.fromBase64(text, { alphabet })
    // fromBase64 skips white space and takes missing padding: only the one true spelling passes
    const spelling = bytes.toBase64({ alphabet, omitPadding: alphabet === 'base64url' })
    return spelling === text ? bytes : null
  } catch {
    return null
  }
}

/** Puts chunks of bytes together into one array. */
export function concatBytes(chunks: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.byteLength, 0))
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}
