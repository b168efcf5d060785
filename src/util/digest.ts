import { toBase64Url } from './bytes.ts'

/**
 * Returns the SHA-256 of a value's canonical JSON, as 43 characters of Base64url.
 *
 * @throws {TypeError} for a value that JSON cannot represent.
 */
export async function toDigest(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(toCanonicalJson(value))
  return toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}

/**
 * Prints a value as JSON with sorted keys, so that equal values have equal digests.
 *
 * @throws {TypeError} for a value that JSON cannot represent: `undefined`, a function, a cycle, a number
 * that is not finite.
 */
export function toCanonicalJson(value: unknown): string {
  // a client may send half a surrogate pair. JSON.stringify escapes it; TextEncoder would map all of them
  // to one character, so that different values would have one digest
  const json: string | undefined = JSON.stringify(value, sortKeys)
  if (json === undefined) throw new TypeError(`JSON cannot represent ${typeof value}.`)
  return json
}

function sortKeys(_key: string, value: unknown): unknown {
  // JSON.stringify would print null, so that different values would have one digest
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new TypeError(`JSON cannot represent ${value}.`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  // fromEntries defines members, so a key named __proto__ stays a key
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/**
 * Returns a 32-bit FNV-1a hash. It detects an accidental change, such as a truncated cursor, and does not
 * protect against a deliberate one.
 */
export function toChecksum(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return hash >>> 0
}
