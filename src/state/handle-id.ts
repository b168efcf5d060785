import type { HandleKind } from '../define/handle-kind.ts'
import type { HandlesNamespace } from '../objects/handles-rpc.ts'
import { readBase64Url, toBase64Url } from '../util/bytes.ts'

/*
 * The id of a handle is its kind's prefix and the id of its Durable Object, which is random and
 * unguessable. Only the object knows what the id opens, and for whom.
 */

const idBytes = 32

/** Converts an object's id, in Cloudflare's hexadecimal, to the id that clients see. */
export function toHandleId(prefix: string, objectId: string): string {
  return `${prefix}_${toBase64Url(Uint8Array.fromHex(objectId))}`
}

/** Returns the object's id in hexadecimal; `null` for anything that is not an id with this prefix. */
export function readHandleId(prefix: string, id: unknown): string | null {
  if (typeof id !== 'string' || !id.startsWith(`${prefix}_`)) return null
  const bytes = readBase64Url(id.slice(prefix.length + 1))
  return bytes?.length === idBytes ? bytes.toHex() : null
}

/** Creates the id of a new handle's object, without a network call. */
export function toNewObjectId(kind: HandleKind, objects: HandlesNamespace): DurableObjectId {
  return withinJurisdiction(kind, objects, (place) => place.newUniqueId())
}

/** Returns the id of the object of a caller's own handle (`scope: 'caller'`). */
export function toOwnObjectId(
  kind: HandleKind,
  objects: HandlesNamespace,
  caller: string,
): DurableObjectId {
  return withinJurisdiction(kind, objects, (place) =>
    place.idFromName(JSON.stringify(['own', kind.name, caller])),
  )
}

/** Returns the id of the object that lists a caller's handles. */
export function toIndexObjectId(
  kind: HandleKind,
  objects: HandlesNamespace,
  caller: string,
): DurableObjectId {
  return withinJurisdiction(kind, objects, (place) =>
    place.idFromName(JSON.stringify(['index', caller])),
  )
}

/** An id created within a jurisdiction carries it, so that the whole namespace can open it later. */
function withinJurisdiction(
  { jurisdiction }: HandleKind,
  objects: HandlesNamespace,
  toId: (place: HandlesNamespace) => DurableObjectId,
): DurableObjectId {
  if (jurisdiction === null) return toId(objects)
  try {
    return toId(objects.jurisdiction(jurisdiction))
  } catch (error) {
    // workerd on a developer's machine has no jurisdictions; anywhere else this must fail
    if (!String(error).includes('not implemented in workerd')) throw error
    return toId(objects)
  }
}
