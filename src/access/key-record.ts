import type { Caller } from '../wire/caller.ts'
import { isJsonObject, isTexts } from '../wire/json.ts'
import { expandScopes, type ScopeHierarchy } from './scopes.ts'

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
