import { toHandleId } from '../define/handle-id.ts'
import type { HandleKind } from '../define/handle-kind.ts'
import { toAnonymousSentence } from '../define/handle-sentences.ts'
import type { Handles, ListedHandle } from '../define/handles.ts'
import { ToolError } from '../define/tool-error.ts'
import { createHandle } from './create-handle.ts'
import { openIndex, type HandlesContext } from './handle-client.ts'
import { openHandle, readHandle } from './open-handle.ts'

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
