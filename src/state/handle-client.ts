import type { CreatorOf, HandleKind } from '../define/handle-kind.ts'
import { ToolError } from '../define/reply.ts'
import {
  toAnonymousSentence,
  toGoneSentence,
  toTooLargeSentence,
  toUnreadableSentence,
} from '../objects/handle-sentences.ts'
import { maxStateBytes } from '../objects/handle-state.ts'
import type { Answer, HandlesNamespace, HandlesObject, Refusal } from '../objects/handles-rpc.ts'
import { readHandleId } from './handle-id.ts'

/** What every use of a handle in one call has in common. */
export interface HandlesContext {
  /** Asked for when it is first needed: a call without handles does without. */
  readonly namespace: () => HandlesNamespace
  /** The digest of who is calling; `null` for nobody. */
  readonly caller: string | null
  readonly creatorOf: CreatorOf
}

/**
 * The id of the object that a handle is in. Whatever is wrong with an id shows here, and wakes
 * nothing; whether the object holds anything is for the object to say.
 *
 * @throws {ToolError} for an id that cannot be of this kind, and where a caller is needed.
 */
export function locate(
  { namespace, caller, creatorOf }: HandlesContext,
  kind: HandleKind,
  id: string | undefined,
): DurableObjectId {
  const objects = namespace()
  if (kind.prefix === null) {
    if (caller === null) throw new ToolError(toAnonymousSentence(kind))
    return toOwnId(kind, objects, caller)
  }
  const objectId = readHandleId(kind.prefix, id)
  try {
    if (objectId !== null) return objects.idFromString(objectId)
  } catch {
    // an id is signed for its namespace, so a forged one ends here
  }
  throw new ToolError(toGoneSentence(kind, creatorOf(kind)))
}

/**
 * Asks a handle's object.
 *
 * @throws {ToolError} for what the model can act on, and an error for what it cannot.
 */
export async function ask(
  { namespace, creatorOf }: HandlesContext,
  kind: HandleKind,
  id: DurableObjectId,
  question: (object: HandlesObject) => Promise<Answer>,
): Promise<unknown> {
  // a stub for each question: one that has thrown stays broken
  const answer = await question(namespace().get(id))
  if (answer.kind === 'value') return answer.value
  throw toHandleError(answer, kind, creatorOf)
}

/** The object that lists a caller's handles of a kind; `null` where nobody keeps such a list. */
export function openIndex(
  { namespace, caller }: HandlesContext,
  kind: HandleKind,
): HandlesObject | null {
  if (kind.perCaller === null || caller === null) return null
  return namespace().get(toIndexId(kind, namespace(), caller))
}

/** Turns a refusal into what a tool throws: words for the model, or a fault for the log. */
function toHandleError(refusal: Refusal, kind: HandleKind, creatorOf: CreatorOf): Error {
  switch (refusal.kind) {
    case 'gone':
      return new ToolError(toGoneSentence(kind, creatorOf(kind)))
    case 'unreadable':
      return new ToolError(toUnreadableSentence(kind, creatorOf(kind)))
    case 'too-large':
      return new ToolError(toTooLargeSentence(kind, refusal.bytes, maxStateBytes))
    case 'refused':
      return new ToolError(refusal.message)
    case 'fault':
      return new Error(`A ${kind.name} failed inside its object. ${refusal.detail}`)
  }
}

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
