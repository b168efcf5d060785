import { toHandleId } from '../define/handle-id.ts'
import { toFullSentence } from '../define/handle-sentences.ts'
import type { HandleKind } from '../define/handle-kind.ts'
import { ToolError } from '../define/tool-error.ts'
import { ask, openIndex, type HandlesContext } from './handle-client.ts'
import { toData } from './handle-data.ts'
import { toNewId } from './handle-place.ts'
import { leaveIndex } from './open-handle.ts'

/**
 * Creates a handle and gives its id. One object is woken, and the caller's index before it where the
 * kind has a limit for each caller. Callers that are nobody have no index, so no limit binds them.
 *
 * @throws {ToolError} where the caller has enough of them, and whatever `start` throws.
 * @throws {TypeError} for arguments that are no plain data; then nothing is woken.
 */
export async function createHandle(
  context: HandlesContext,
  kind: HandleKind,
  args: readonly unknown[],
): Promise<string> {
  const { namespace, caller } = context
  const data = toData(args, `start of ${kind.name} was called with`)
  const objectId = toNewId(kind, namespace())
  const index = openIndex(context, kind)
  if (index !== null && kind.perCaller !== null) {
    const aliveUntil = Date.now() + kind.idleMs
    // first the place and then the handle: should this call be cut off between them, the list holds
    // one that never was and finds that out, instead of missing one that is
    if (!(await index.admit(kind.name, objectId.toString(), aliveUntil, kind.perCaller))) {
      throw new ToolError(toFullSentence(kind))
    }
  }
  try {
    await ask(context, kind, objectId, (object) => object.create({ kind: kind.name, caller }, data))
  } catch (error) {
    await leaveIndex(context, kind, objectId)
    throw error
  }
  return toHandleId(kind.prefix ?? '', objectId.toString())
}
