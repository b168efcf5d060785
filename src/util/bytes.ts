/** Converts bytes to standard Base64; text must be Base64 already and is returned unchanged. */
export function toBase64(data: Uint8Array | string): string {
  return typeof data === 'string' ? data : data.toBase64()
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
