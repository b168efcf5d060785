import type { Caller } from '../../protocol/caller.ts'
import { isJsonObject, isTexts } from '../../protocol/json.ts'
import { type ScopeHierarchy, expandScopes } from './scopes.ts'

/** The API keys of a secret. */
export interface KeyList {
  readonly find: (digest: Uint8Array) => Caller | null
}

const hexDigest = /^[0-9a-f]{64}$/

/**
 * Reads the API keys of a secret: a JSON array of `{ digest, subject, ... }`, `digest` being the
 * SHA-256 of the key in hexadecimal.
 *
 * @throws {Error} that names the first entry which is not as it should be, and none of its digests.
 */
export function readKeyList(name: string, text: string, hierarchy: ScopeHierarchy): KeyList {
  const entries = readEntries(text)
  const keys = entries.map((entry, index) => {
    const digest = isJsonObject(entry) ? entry['digest'] : null
    const caller = readKeyRecord(entry, hierarchy)
    if (caller !== null && typeof digest === 'string' && hexDigest.test(digest)) {
      return { digest: Uint8Array.fromHex(digest), caller }
    }
    throw new Error(
      `Key ${index} in the secret ${name} is not ` +
        '{ "digest": 64 hexadecimal digits, "subject": text, "client"?, "scopes"?, "expires"? }.',
    )
  })
  if (keys.length === 0) throw new Error(`The secret ${name} is not a JSON array of keys.`)
  return {
    find(digest) {
      let found: Caller | null = null
      // no way out of the loop: the time it takes does not depend on which key it was. The digests
      // are equally long, as the comparison would throw otherwise
      for (const key of keys) {
        if (crypto.subtle.timingSafeEqual(key.digest, digest)) found = key.caller
      }
      return found
    },
  }
}

function readEntries(text: string): readonly unknown[] {
  try {
    const entries: unknown = JSON.parse(text)
    return Array.isArray(entries) ? entries : []
  } catch {
    return []
  }
}

/**
 * Reads who an API key belongs to: `{ subject, client?, scopes?, expires? }`, `expires` as ISO 8601.
 * A record that has anything of another type is nobody's: no key works longer, or for more, because
 * of a slip.
 */
export function readKeyRecord(record: unknown, hierarchy: ScopeHierarchy): Caller | null {
  if (!isJsonObject(record)) return null
  const { subject, client, scopes = [], expires } = record
  if (typeof subject !== 'string' || subject === '' || !isTexts(scopes)) return null
  if (client !== undefined && typeof client !== 'string') return null
  if (expires !== undefined && typeof expires !== 'string') return null
  const end = expires === undefined ? Infinity : Date.parse(expires)
  if (Number.isNaN(end)) return null
  return {
    subject,
    ...(client !== undefined && { client }),
    scopes: expandScopes(scopes, hierarchy),
    claims: {},
    ...(end !== Infinity && { expires: end }),
  }
}
