import type { HandleKind } from '../define/handle-kind.ts'
import type { Handle } from '../define/handle.ts'
import type {
  HandleReader,
  HandleStub,
  Handles,
  ListedHandle,
  OpenedHandles,
  ReadableHandles,
  StateOf,
  Uses,
} from '../define/handles.ts'
import { ToolError } from '../define/reply.ts'
import { toAnonymousSentence, toFullSentence } from '../objects/handle-sentences.ts'
import { toData } from '../objects/handle-state.ts'
import { logNotice } from '../util/log.ts'
import { type HandlesContext, ask, locate, openIndex, toNewId } from './handle-client.ts'
import { toHandleId } from './handle-id.ts'

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

/**
 * Creates a handle and gives its id. One object is woken, and the caller's index before it where the
 * kind has a limit for each caller. Callers that are nobody have no index, so no limit binds them.
 *
 * @throws {ToolError} where the caller has enough of them, and whatever `start` throws.
 * @throws {TypeError} for arguments that are no plain data; then nothing is woken.
 */
async function createHandle(
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

/*
 * The overloads give each kind its types. They hold by construction: the members are made from the
 * very verbs that the types were taken from.
 */

/**
 * Opens a handle without asking its object anything. Its verbs are members of their own and not the
 * traps of a proxy: no other name becomes a call, `then` least of all, which `await` looks for.
 */
function openHandle<H extends Handle>(context: HandlesContext, kind: H, id?: string): HandleStub<H>
function openHandle(context: HandlesContext, kind: HandleKind, id?: string): object {
  const objectId = locate(context, kind, id)
  const to = { kind: kind.name, caller: context.caller }
  const verbs = [...kind.verbs.keys()].map((verb) => [
    verb,
    async (...args: readonly unknown[]): Promise<unknown> => {
      const data = toData(args, `${verb} of ${kind.name} was called with`)
      return ask(context, kind, objectId, (object) => object.use(to, verb, data))
    },
  ])
  return {
    ...toReader(context, kind, id, objectId),
    ...Object.fromEntries(verbs),
    async end(): Promise<void> {
      await ask(context, kind, objectId, (object) => object.end(to))
      await leaveIndex(context, kind, objectId)
    },
  }
}

/** Opens a handle for reading only. */
function openReader<H extends Handle>(
  context: HandlesContext,
  kind: H,
  id?: string,
): HandleReader<H>
function openReader(context: HandlesContext, kind: HandleKind, id?: string): object
function openReader(context: HandlesContext, kind: HandleKind, id?: string): object {
  return toReader(context, kind, id, locate(context, kind, id))
}

function toReader(
  context: HandlesContext,
  kind: HandleKind,
  id: string | undefined,
  objectId: DurableObjectId,
): { readonly id?: string | undefined; readonly read: () => Promise<unknown> } {
  const to = { kind: kind.name, caller: context.caller }
  const read = (): Promise<unknown> => ask(context, kind, objectId, (object) => object.read(to))
  return kind.prefix === null ? { read } : { id, read }
}

/** Reads a handle's state. */
function readHandle<H extends Handle>(
  context: HandlesContext,
  kind: H,
  id?: string,
): Promise<StateOf<H>>
async function readHandle(
  context: HandlesContext,
  kind: HandleKind,
  id?: string,
): Promise<unknown> {
  return toReader(context, kind, id, locate(context, kind, id)).read()
}

/** Takes an ended handle off its caller's list. The list finds out by itself where this fails. */
async function leaveIndex(
  context: HandlesContext,
  kind: HandleKind,
  objectId: DurableObjectId,
): Promise<void> {
  try {
    await openIndex(context, kind)?.leave(kind.name, objectId.toString())
  } catch (error) {
    logNotice(`list of ${kind.name}`, String(error))
  }
}

/*
 * What a tool finds under `use`. The ids are those that `readUses` found good; an optional handle
 * without one is `undefined`.
 */

/** Opens a tool's handles for `run`. */
export function openUses<U extends Uses>(
  context: HandlesContext,
  uses: U,
  ids: ReadonlyMap<string, string>,
): OpenedHandles<U>
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
): ReadableHandles<U>
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
