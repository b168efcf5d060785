import type { Handle } from '../define/handle.ts'
import type { Opened, Readable, Uses } from '../define/uses.ts'
import type { HandlesContext } from './handle-client.ts'
import { openHandle, openReader } from './open-handle.ts'

/*
 * What a tool finds under `use`. The ids are those that `readUses` found good; an optional handle
 * without one is `undefined`.
 */

/** Opens a tool's handles for `run`. */
export function openUses<U extends Uses>(
  context: HandlesContext,
  uses: U,
  ids: ReadonlyMap<string, string>,
): Opened<U>
export function openUses(
  context: HandlesContext,
  uses: Uses,
  ids: ReadonlyMap<string, string>,
): object {
  return open(uses, ids, (kind, id) => openHandle(context, kind, id))
}

/** Opens a tool's handles for `ask`, which only reads. */
export function openReaders<U extends Uses>(
  context: HandlesContext,
  uses: U,
  ids: ReadonlyMap<string, string>,
): Readable<U>
export function openReaders(
  context: HandlesContext,
  uses: Uses,
  ids: ReadonlyMap<string, string>,
): object {
  return open(uses, ids, (kind, id) => openReader(context, kind, id))
}

function open(
  uses: Uses,
  ids: ReadonlyMap<string, string>,
  toOpened: (kind: Handle, id: string | undefined) => unknown,
): object {
  const used = Object.entries(uses)
  // as most tools have it
  if (used.length === 0) return {}
  const opened = used.map(([name, used]) => {
    const id = ids.get(name)
    if (used.kind === 'handle') return [name, toOpened(used, id)]
    // a caller's own takes no id, so that it is never missing
    const isThere = id !== undefined || used.handle.scope === 'caller'
    return [name, isThere ? toOpened(used.handle, id) : undefined]
  })
  return Object.fromEntries(opened)
}
