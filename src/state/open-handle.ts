import type { HandleKind } from '../define/handle-kind.ts'
import type { HandleReader, HandleStub, StateOf } from '../define/handle-stub.ts'
import type { Handle } from '../define/handle.ts'
import { logNotice } from '../kit/incident.ts'
import { ask, locate, openIndex, type HandlesContext } from './handle-client.ts'
import { toData } from './handle-data.ts'

/*
 * The overloads give each kind its types. They hold by construction: the members are made from the
 * very verbs that the types were taken from.
 */

/**
 * Opens a handle without asking its object anything. Its verbs are members of their own and not the
 * traps of a proxy: no other name becomes a call, `then` least of all, which `await` looks for.
 */
export function openHandle<H extends Handle>(
  context: HandlesContext,
  kind: H,
  id?: string,
): HandleStub<H>
export function openHandle(context: HandlesContext, kind: HandleKind, id?: string): object {
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
export function openReader<H extends Handle>(
  context: HandlesContext,
  kind: H,
  id?: string,
): HandleReader<H>
export function openReader(context: HandlesContext, kind: HandleKind, id?: string): object
export function openReader(context: HandlesContext, kind: HandleKind, id?: string): object {
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
export function readHandle<H extends Handle>(
  context: HandlesContext,
  kind: H,
  id?: string,
): Promise<StateOf<H>>
export async function readHandle(
  context: HandlesContext,
  kind: HandleKind,
  id?: string,
): Promise<unknown> {
  return toReader(context, kind, id, locate(context, kind, id)).read()
}

/** Takes an ended handle off its caller's list. The list finds out by itself where this fails. */
export async function leaveIndex(
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
