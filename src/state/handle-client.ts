import type { CreatorOf, HandleKind } from '../define/handle-kind.ts'
import { ToolError } from '../define/reply.ts'
import {
  toAnonymousSentence,
  toGoneSentence,
  toTooLargeSentence,
  toUnreadableSentence,
} from '../objects/handle-sentences.ts'
import { maxStateBytes } from '../objects/handle-state.ts'
import {
  type HandleRefusal,
  type HandleReply,
  type HandlesNamespace,
  type HandlesObject,
  fromThrownReport,
} from '../objects/handles-rpc.ts'
import type { WorkerLog } from '../out/log.ts'
import { readHandleId, toIndexObjectId, toOwnObjectId } from './handle-id.ts'

export interface HandlesContext {
  /** A function: a call that uses no handle must not look for the namespace. */
  readonly namespace: () => HandlesNamespace
  readonly caller: string | null
  readonly creatorOf: CreatorOf
  readonly log: () => WorkerLog
}

/**
 * Returns the id of the object of a handle. An id that cannot be right is refused here and wakes
 * nothing; the object itself decides whether it holds the handle.
 *
 * @throws {ToolError} for an id that cannot be of this kind, and for an anonymous caller of a kind
 *   that each caller has one of.
 */
export function toObjectId(
  { namespace, caller, creatorOf }: HandlesContext,
  kind: HandleKind,
  id: string | undefined,
): DurableObjectId {
  const objects = namespace()
  if (kind.prefix === null) {
    if (caller === null) throw new ToolError(toAnonymousSentence(kind))
    return toOwnObjectId(kind, objects, caller)
  }
  const objectId = readHandleId(kind.prefix, id)
  try {
    if (objectId !== null) return objects.idFromString(objectId)
  } catch {
    // ids are signed for their namespace, so that a forged one throws
  }
  throw new ToolError(toGoneSentence(kind, creatorOf(kind)))
}

/** @throws {ToolError} for what the model can act on, and what the author's code threw for the rest. */
export async function callHandle(
  { namespace, creatorOf }: HandlesContext,
  kind: HandleKind,
  id: DurableObjectId,
  call: (object: HandlesObject) => Promise<HandleReply>,
): Promise<unknown> {
  // a new stub for each call: one that has thrown stays broken
  const reply = await call(namespace().get(id))
  if (reply.kind === 'value') return reply.value
  throw toThrown(reply, kind, creatorOf)
}

/** Returns the object that lists a caller's handles of a kind; `null` where there is no such list. */
export function openIndex(
  { namespace, caller }: HandlesContext,
  kind: HandleKind,
): HandlesObject | null {
  if (kind.perCaller === null || caller === null) return null
  return namespace().get(toIndexObjectId(kind, namespace(), caller))
}

function toThrown(refusal: HandleRefusal, kind: HandleKind, creatorOf: CreatorOf): unknown {
  switch (refusal.kind) {
    case 'gone':
      return new ToolError(toGoneSentence(kind, creatorOf(kind)))
    case 'unreadable':
      return new ToolError(toUnreadableSentence(kind, creatorOf(kind)))
    case 'too-large':
      return new ToolError(toTooLargeSentence(kind, refusal.bytes, maxStateBytes))
    case 'refused':
      return refusal.cause === undefined
        ? new ToolError(refusal.message)
        : new ToolError(refusal.message, { cause: fromThrownReport(refusal.cause) })
    case 'failed':
      return fromThrownReport(refusal.thrown)
  }
}
