import { readBase64 } from '../kit/base64.ts'

const prefix = '=?base64?'
const suffix = '?='
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * The value that an `Mcp-Name` or `Mcp-Param-*` header carries, its Base64 form decoded; `null` where
 * the header has characters that no header may have, or Base64 that is not exactly right
 * (basic/transports/streamable-http, "Value Encoding").
 */
export function readHeaderValue(header: string): string | null {
  if (!/^[\t\x20-\x7E]*$/.test(header)) return null
  const encoded = header.length >= prefix.length + suffix.length && isEncoded(header)
  return encoded ? decode(header.slice(prefix.length, -suffix.length)) : header
}

function isEncoded(header: string): boolean {
  return header.startsWith(prefix) && header.endsWith(suffix)
}

function decode(base64: string): string | null {
  const bytes = readBase64(base64)
  if (bytes === null) return null
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}
