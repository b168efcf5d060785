import { readBase64Url, toBase64Url } from '../util/bytes.ts'

/*
 * The id of a handle is its kind's prefix and the id of its Durable Object, which is random and
 * unguessable. Nothing else is in it: what it opens, and for whom, is known inside the object alone.
 */

const idBytes = 32

/** The id that callers see, from an object's id in hexadecimal as Cloudflare prints it. */
export function toHandleId(prefix: string, objectId: string): string {
  return `${prefix}_${toBase64Url(Uint8Array.fromHex(objectId))}`
}

/** The object's id in hexadecimal, or `null` for what is not an id with this prefix. */
export function readHandleId(prefix: string, id: unknown): string | null {
  if (typeof id !== 'string' || !id.startsWith(`${prefix}_`)) return null
  const bytes = readBase64Url(id.slice(prefix.length + 1))
  return bytes?.length === idBytes ? bytes.toHex() : null
}
