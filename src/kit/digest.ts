import { toBase64Url } from './base64.ts'
import { toCanonicalJson } from './canonical-json.ts'

/**
 * The SHA-256 of a value's canonical JSON, as 43 characters of Base64url.
 *
 * @throws {TypeError} for what JSON cannot carry.
 */
export async function toDigest(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(toCanonicalJson(value))
  return toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}
