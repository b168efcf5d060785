import { toHandleId } from '../define/handle-id.ts'
import type { HandleKind } from '../define/handle-kind.ts'
import { toAnonymousSentence } from '../define/handle-sentences.ts'
import type { HandleStub, IdOf, StateOf } from '../define/handle-stub.ts'
import type { Handle } from '../define/handle.ts'
import { ToolError } from '../define/tool-error.ts'
import { createHandle } from './create-handle.ts'
import { openIndex, type HandlesContext } from './handle-client.ts'
import { openHandle, readHandle } from './open-handle.ts'

/** One of the caller's own handles. */
export interface ListedHandle {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
}

/**
 * Handles as a tool works with them. Unknown, expired, ended, malformed ids and those of others give
 * one and the same ToolError, which names the tool that creates a new handle.
 */
export interface Handles {
  /** Creates a handle from the arguments of its kind's `start`. */
  readonly create: <State, Calls, Args extends readonly unknown[]>(
    kind: Handle<State, Calls, Args, 'id'>,
    ...args: Args
  ) => Promise<HandleStub<Handle<State, Calls, Args, 'id'>>>
  /** Opens a handle by its id, or the caller's own. Nothing is asked until a verb is called. */
  readonly open: <H extends Handle>(kind: H, ...id: IdOf<H>) => HandleStub<H>
  /** A copy of a handle's state. */
  readonly read: <H extends Handle>(kind: H, ...id: IdOf<H>) => Promise<StateOf<H>>
  /** The caller's own live handles of a kind that has `perCaller`, oldest first. */
  readonly list: <State, Calls, Args extends readonly unknown[]>(
    kind: Handle<State, Calls, Args, 'id'>,
  ) => Promise<readonly ListedHandle[]>
}

/** Makes the handles of one call. */
export function createHandles(context: HandlesContext): Handles {
  return {
    create: async (kind, ...args) =>
      openHandle(context, kind, await createHandle(context, kind, args)),
    open: (kind, ...[id]) => openHandle(context, kind, id),
    read: (kind, ...[id]) => readHandle(context, kind, id),
    list: (kind) => listHandles(context, kind),
  }
}

async function listHandles(
  context: HandlesContext,
  kind: HandleKind,
): Promise<readonly ListedHandle[]> {
  const { name, prefix, perCaller } = kind
  if (perCaller === null || prefix === null) {
    throw new TypeError(
      `Nobody lists each ${name}. Give the kind a \`perCaller\` limit, which does.`,
    )
  }
  const index = openIndex(context, kind)
  if (index === null) throw new ToolError(toAnonymousSentence(kind))
  const listed = await index.list(name)
  return listed.map(({ objectId, createdAt }) => ({ id: toHandleId(prefix, objectId), createdAt }))
}
