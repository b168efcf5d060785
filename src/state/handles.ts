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
import { toPlainData } from '../objects/plain-data.ts'
import { type HandlesContext, callHandle, openIndex, toObjectId } from './handle-client.ts'
import { toHandleId, toNewObjectId } from './handle-id.ts'

/** Creates what an author's code works with in one call. */
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
    throw new TypeError(`\`list\` needs an index: set \`perCaller\` on the handle "${name}".`)
  }
  const index = openIndex(context, kind)
  if (index === null) throw new ToolError(toAnonymousSentence(kind))
  const listed = await index.listIndex(name)
  return listed.map(({ objectId, createdAt }) => ({ id: toHandleId(prefix, objectId), createdAt }))
}

/**
 * Creates a handle and returns its id. One object is called, and the caller's index before it where the
 * kind has `perCaller`. Anonymous callers have no index, so that no limit applies to them.
 *
 * @throws {ToolError} where the caller has as many as allowed, and whatever `start` throws.
 * @throws {TypeError} for arguments that are not plain data; then no object is called.
 */
async function createHandle(
  context: HandlesContext,
  kind: HandleKind,
  args: readonly unknown[],
): Promise<string> {
  const { namespace, caller } = context
  const data = toPlainData(args, `start of ${kind.name} was called with`)
  const objectId = toNewObjectId(kind, namespace())
  const index = openIndex(context, kind)
  if (index !== null && kind.perCaller !== null) {
    const aliveUntil = Date.now() + kind.idleMs
    // the index first: if this call is cut off in between, the index has an entry without a handle,
    // which it removes later, and never a handle without an entry
    const isAdded = await index.addToIndex(
      kind.name,
      objectId.toString(),
      aliveUntil,
      kind.perCaller,
    )
    if (!isAdded) throw new ToolError(toFullSentence(kind))
  }
  try {
    await callHandle(context, kind, objectId, (object) =>
      object.create({ kind: kind.name, caller }, data),
    )
  } catch (error) {
    await removeFromIndex(context, kind, objectId)
    throw error
  }
  return toHandleId(kind.prefix ?? '', objectId.toString())
}

/*
 * The overloads give each kind its types. They are right by construction: the members are created from
 * the verbs that the types were inferred from.
 */

/**
 * Opens a handle without calling its object. Verbs are own members and not traps of a proxy: no other
 * name must become a call, above all not `then`, which `await` looks for.
 */
function openHandle<H extends Handle>(context: HandlesContext, kind: H, id?: string): HandleStub<H>
function openHandle(context: HandlesContext, kind: HandleKind, id?: string): object {
  const objectId = toObjectId(context, kind, id)
  const address = { kind: kind.name, caller: context.caller }
  const verbs = [...kind.verbs.keys()].map((verb) => [
    verb,
    async (...args: readonly unknown[]): Promise<unknown> => {
      const data = toPlainData(args, `${verb} of ${kind.name} was called with`)
      return callHandle(context, kind, objectId, (object) => object.use(address, verb, data))
    },
  ])
  return {
    ...toReader(context, kind, id, objectId),
    ...Object.fromEntries(verbs),
    async end(): Promise<void> {
      await callHandle(context, kind, objectId, (object) => object.end(address))
      await removeFromIndex(context, kind, objectId)
    },
  }
}

function openReader<H extends Handle>(
  context: HandlesContext,
  kind: H,
  id?: string,
): HandleReader<H>
function openReader(context: HandlesContext, kind: HandleKind, id?: string): object
function openReader(context: HandlesContext, kind: HandleKind, id?: string): object {
  return toReader(context, kind, id, toObjectId(context, kind, id))
}

function toReader(
  context: HandlesContext,
  kind: HandleKind,
  id: string | undefined,
  objectId: DurableObjectId,
): { readonly id?: string | undefined; readonly read: () => Promise<unknown> } {
  const address = { kind: kind.name, caller: context.caller }
  const read = (): Promise<unknown> =>
    callHandle(context, kind, objectId, (object) => object.read(address))
  return kind.prefix === null ? { read } : { id, read }
}

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
  return toReader(context, kind, id, toObjectId(context, kind, id)).read()
}

/** Removes an ended handle from its caller's index, which finds out by itself where this fails. */
async function removeFromIndex(
  context: HandlesContext,
  kind: HandleKind,
  objectId: DurableObjectId,
): Promise<void> {
  try {
    await openIndex(context, kind)?.removeFromIndex(kind.name, objectId.toString())
  } catch (error) {
    context.log().warn(`index of "${kind.name}"`, 'An ended handle was not removed.', error)
  }
}

/*
 * The handles under `use`. The ids are those that `readUses` accepted; an optional handle without an id
 * is `undefined`.
 */

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
  return openEach(uses, ids, (kind, id) => openHandle(context, kind, id))
}

/** Opens the handles that a tool `uses`, for `ask`, which only reads. */
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
  return openEach(uses, ids, (kind, id) => openReader(context, kind, id))
}

function openEach(
  uses: Uses,
  ids: ReadonlyMap<string, string>,
  toOpened: (kind: Handle, id: string | undefined) => unknown,
): object {
  const used = Object.entries(uses)
  // most tools use none
  if (used.length === 0) return {}
  const opened = used.map(([name, used]) => {
    const id = ids.get(name)
    if (used.kind === 'handle') return [name, toOpened(used, id)]
    // a caller's own handle has no id, and is never missing
    const isPresent = id !== undefined || used.handle.scope === 'caller'
    return [name, isPresent ? toOpened(used.handle, id) : undefined]
  })
  return Object.fromEntries(opened)
}
