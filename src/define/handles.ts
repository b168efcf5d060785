import type { HandleStub, IdOf, StateOf } from './handle-stub.ts'
import type { Handle } from './handle.ts'

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
