import type { HandleKind } from '../define/handle-kind.ts'
import type { HandlesNamespace } from './handles-namespace.ts'

/*
 * Where the objects of a kind are. An id made within a jurisdiction carries it, so that it can later
 * be opened through the whole namespace.
 */

/** The id of a new handle's object. Made here and now, without asking anyone. */
export function toNewId(kind: HandleKind, objects: HandlesNamespace): DurableObjectId {
  return within(kind, objects, (place) => place.newUniqueId())
}

/** The id of the object that a caller's own handle of a kind is in. */
export function toOwnId(
  kind: HandleKind,
  objects: HandlesNamespace,
  caller: string,
): DurableObjectId {
  return within(kind, objects, (place) =>
    place.idFromName(JSON.stringify(['own', kind.name, caller])),
  )
}

/** The id of the object that lists a caller's handles. */
export function toIndexId(
  kind: HandleKind,
  objects: HandlesNamespace,
  caller: string,
): DurableObjectId {
  return within(kind, objects, (place) => place.idFromName(JSON.stringify(['index', caller])))
}

function within(
  { jurisdiction }: HandleKind,
  objects: HandlesNamespace,
  toId: (place: HandlesNamespace) => DurableObjectId,
): DurableObjectId {
  if (jurisdiction === null) return toId(objects)
  try {
    return toId(objects.jurisdiction(jurisdiction))
  } catch (error) {
    // workerd on a developer's machine has no jurisdictions; anywhere else this must not pass
    if (!String(error).includes('not implemented in workerd')) throw error
    return toId(objects)
  }
}
