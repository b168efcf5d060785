import { toBase64Url } from './bytes.ts'

/**
 * The SHA-256 of a value's canonical JSON, as 43 characters of Base64url.
 *
 * @throws {TypeError} for what JSON cannot carry.
 */
export async function toDigest(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(toCanonicalJson(value))
  return toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}

/**
 * Prints a value as JSON whose text depends on the value alone and not on the order in which its
 * keys were written, so that equal values have equal digests.
 *
 * @throws {TypeError} for what JSON cannot carry: `undefined`, a function, a cycle, a number that is not finite.
 */
export function toCanonicalJson(value: unknown): string {
  // JSON.stringify escapes lone surrogates, which TextEncoder would fold into one character, and
  // which RFC 8785 refuses: a client may send them, and they must neither collide nor throw
  const json: string | undefined = JSON.stringify(value, sortKeys)
  if (json === undefined) throw new TypeError(`JSON cannot carry ${typeof value}.`)
  return json
}

function sortKeys(_key: string, value: unknown): unknown {
  // JSON.stringify would make null of it, and of two values one
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new TypeError(`JSON cannot carry ${value}.`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  // fromEntries defines members, so that a key named __proto__ stays one
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/**
 * A 32-bit FNV-1a hash. It tells an accidental change, such as a cut or mistyped cursor, and nothing
 * more: it is no protection against anyone who means it.
 */
export function toChecksum(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return hash >>> 0
}
