import type { CreatorOf } from '../define/handle-creator.ts'
import { readHandleId } from '../define/handle-id.ts'
import type { HandleKind } from '../define/handle-kind.ts'
import { toAnonymousSentence, toGoneSentence } from '../define/handle-sentences.ts'
import { ToolError } from '../define/tool-error.ts'
import type { Answer } from './handle-answer.ts'
import { toHandleError } from './handle-error.ts'
import { toIndexId, toOwnId } from './handle-place.ts'
import type { HandlesNamespace, HandlesObject } from './handles-namespace.ts'

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
